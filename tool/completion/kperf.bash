# Bash completion for kperf, kperf-cc and kperf-rewrite.
_kperf() {
  local program script word line cut words=()
  program=$(realpath -- "$(type -P -- "$1")" 2>/dev/null) || return
  script=${program%/*}/../share/kperf/completion.sh
  for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do # readline breaks words at "="
    if [[ ${#words[@]} -gt 0 && ( $word == = || $line == *= ) && ${words[-1]} == --* ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    line=${words[-1]}
  done
  words[0]=$program
  cut=""
  [[ ${words[-1]} == --*=* ]] && cut=${words[-1]%%=*}=
  COMPREPLY=()
  while IFS=$'\t' read -r line _; do
    line=${line#"$cut"}
    [[ $line != *= ]] || compopt -o nospace
    COMPREPLY+=("$line")
  done < <(sh "$script" "${words[@]}")
}

complete -o default -F _kperf kperf kperf-cc kperf-rewrite
