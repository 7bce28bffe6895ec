# Prints what the installed completion offers for a command line: complete.sh PREFIX WORD…, the last word unfinished.
set -eu
prefix=$1
shift
PATH=$prefix/bin:$PATH
compopt() { :; } # bash has one only while it completes
source "$prefix/share/bash-completion/completions/$1"
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_kperf "$1" "${COMP_WORDS[$COMP_CWORD]}" "${COMP_WORDS[$COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
