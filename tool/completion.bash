# Bash completion for kperf, kperf-cc and kperf-rewrite; the programs' own --help is the only list of what they take.
_kperf_words() { # words of one kind in the help text of the command given as arguments after the pattern
  local pattern=$1
  shift
  "$@" --help 2>/dev/null | grep -oE -- "$pattern" | tr -d ' ' | sort -u
}

_kperf() {
  local program=$1 word=$2 help=("$1") words
  if [[ ${program##*/} == kperf && $COMP_CWORD -gt 1 ]]; then
    help+=("${COMP_WORDS[1]}")
  fi
  if [[ $word == -* ]]; then
    words=$(_kperf_words '--?[a-z][a-z0-9-]*=?' "${help[@]}")
    [[ ${words} == *=* ]] && compopt -o nospace
  elif [[ ${program##*/} == kperf && $COMP_CWORD -eq 1 ]]; then
    words=$(_kperf_words '^  [a-z][a-z-]+' "$program")
  elif [[ ${program##*/} == kperf-cc && $COMP_CWORD -eq 1 ]]; then
    words="nvcc hipcc clang++ host"
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -o default -F _kperf kperf kperf-cc kperf-rewrite
