# Bash completion for kperf, kperf-cc and kperf-rewrite; the programs' own --help is the only list of what they take.
_kperf_words() { # words of one kind in the help text of the command given as arguments after the pattern
  local pattern=$1
  shift
  "$@" --help 2>/dev/null | grep -oE -- "$pattern" | tr -d ' ' | sort -u
}

_kperf_values() { # what the option in the first argument takes, by the help text of the command behind it
  local option=$1 text
  shift
  case $option in
    --kernel) # names of the kernels of the trace that the line names, else of the newest here
      local trace=""
      for text in "${COMP_WORDS[@]}"; do
        [[ $text == *.kperf ]] && trace=$text
      done
      timeout 2 kperf report ${trace:+"$trace"} --format=csv 2>/dev/null | sed -nE '2,$s/^"?(void )?([A-Za-z_][A-Za-z_0-9:]*).*/\2/p' | sort -u
      ;;
    *) # words in a row with commas between them, alone on the line of a command's option: "text, csv, json"; or three and more on the lines
      # of one with "=": "NAME: region, sync, memory"
      "$@" --help 2>/dev/null | sed -n "s/^ *$option [A-Z]* *//p; s/^ *$option *//p" | grep -oE '^[a-z]+(, (or )?[a-z]+)+' | sed 's/ or / /' | tr -d ' ' | tr ',' '\n'
      "$@" --help 2>/dev/null | sed -n "/^ *$option=/,/^  *-[a-z-]/p" | sed -e '1!{/^ *-/d}' | grep -oE '[a-z]+(, [a-z]+){2,}' | tr -d ' ' | tr ',' '\n'
      ;;
  esac
}

_kperf() {
  local program=$1 word=$2 previous=$3 help=("$1") words=""
  if [[ ${program##*/} == kperf && $COMP_CWORD -gt 1 ]]; then
    help+=("${COMP_WORDS[1]}")
  fi
  if [[ $word == = ]]; then # --option=, at which readline breaks words
    word=""
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if [[ $previous == --* ]]; then
    words=$(_kperf_values "$previous" "${help[@]}")
  fi
  if [[ $word == -* ]]; then
    words=$(_kperf_words '--?[a-z][a-z0-9-]*=?' "${help[@]}")
    [[ ${words} == *=* ]] && compopt -o nospace
  elif [[ -z $words && ${program##*/} == kperf && $COMP_CWORD -eq 1 ]]; then
    words=$(_kperf_words '^  [a-z][a-z-]+' "$program")
  elif [[ -z $words && ${program##*/} == kperf-cc && $COMP_CWORD -eq 1 ]]; then
    words=$("$program" --help 2>/dev/null | sed -n '/^COMPILER:/,/^$/s/^  \([a-z].*\)/\1/p' | sed 's/   .*//' | tr ',' ' ')
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -o default -F _kperf kperf kperf-cc kperf-rewrite
