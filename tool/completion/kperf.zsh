#compdef kperf kperf-cc kperf-rewrite
# Zsh completion for kperf, kperf-cc and kperf-rewrite.
_kperf() {
  local program=${commands[$words[1]]:-$words[1]} tab=$'\t'
  program=${program:A}
  local -a lines names open shown
  lines=("${(@f)$(sh ${program:h}/../share/kperf/completion.sh $program "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  lines=(${lines:#})
  if (( ! $#lines )); then
    _files
    return
  fi
  open=(${(M)${lines%%$tab*}:#*=}) # a value follows
  (( ! $#open )) || compadd -S '' -a open
  lines=(${lines:#*=$tab*})
  names=(${lines%%$tab*})
  shown=(${lines/$tab/  })
  (( ! $#names )) || compadd -l -d shown -a names
}

_kperf "$@"
