#!/bin/sh
# What may stand in the place of the last word of a command line, a line each with a tab and what it means: words.sh PROGRAM WORD…, the last
# word unfinished. The completion of every shell asks this; the programs' own --help is the only list of what they take.
set -u
program=$1
command=${2-}
count=$#
position=0 last="" previous="" trace=""
for word; do
  position=$((position + 1))
  [ "$position" -eq 1 ] && continue
  previous=$last last=$word
  [ "$position" -lt "$count" ] && case $word in *.kperf) trace=$word ;; esac
done

help() {
  if [ "${program##*/}" = kperf ] && [ "$count" -gt 2 ]; then
    "$program" "$command" --help 2>/dev/null
  else
    "$program" --help 2>/dev/null
  fi
}

options() { # "--name", or "--name=" where a value has to follow
  help | sed -nE 's/^ *((-[a-z]),)?(--[a-z][a-z0-9-]*)(=?)[^ ]*( [A-Z]+)? +(.*)$/\2\t\6\n\3\4\t\6/p' | grep '^-'
}

commands() { help | sed -nE 's/^  ([a-z][a-z-]+) +(.*)$/\1\t\2/p'; }

compilers() { help | sed -n '/^COMPILER:/,/^$/s/^  \([a-z].*\)/\1/p' | sed 's/   .*//' | tr -d ' ' | tr ',' '\n'; }

values() { # of the option in the argument
  case $1 in
    --kernel) # names of the kernels of the trace that the line names, else of the newest here
      timeout 2 "$program" report ${trace:+"$trace"} --format=csv 2>/dev/null | sed -nE '2,$s/^"?(void )?([A-Za-z_][A-Za-z_0-9:]*).*/\2/p' | sort -u
      ;;
    *) # words in a row with commas between them, alone on the line of a command's option: "text, csv, json"; or three and more on the lines
      # of one with "=": "NAME: region, sync, memory"
      help | sed -n "s/^ *$1 [A-Z]* *//p; s/^ *$1 *//p" | grep -oE '^[a-z]+(, (or )?[a-z]+)+' | sed 's/ or / /' | tr -d ' ' | tr ',' '\n'
      help | sed -n "/^ *$1=/,/^  *-[a-z-]/p" | sed -e '1!{/^ *-/d}' | grep -oE '[a-z]+(, [a-z]+){2,}' | tr -d ' ' | tr ',' '\n'
      ;;
  esac
}

offer() { # those of the lines on standard input that begin like the last word, behind what is in the argument
  while IFS= read -r line; do
    case $1$line in
      "$last"*) printf '%s\n' "$1$line" ;;
    esac
  done
}

option="" before="" value=$last
case $last in
  --*=*) option=${last%%=*} value=${last#*=} before=${last%%=*}= ;;
  *) case $previous in --*) option=$previous ;; esac ;;
esac
offered=""
if [ -n "$option" ]; then
  listed="," # of a list, the words before its last
  case $value in *,*) listed=$(printf '%s\n' "${value%,*}" | tr ',' '\n') before=$before${value%,*}, ;; esac
  offered=$(values "$option" | sort -u | grep -vxF "$listed" | offer "$before")
fi
if [ -z "$offered" ] && [ -z "$before" ]; then
  case $last in
    -*) offered=$(options | sort -u | offer "") ;;
    *) [ "$count" -ne 2 ] || case ${program##*/} in
      kperf) offered=$(commands | offer "") ;;
      kperf-cc) offered=$(compilers | offer "") ;;
    esac ;;
  esac
fi
[ -z "$offered" ] || printf '%s\n' "$offered"
