# Prints what zsh's installed completion offers for a command line: complete.zsh PREFIX WORD…, the last word unfinished.
prefix=$1
shift
path=($prefix/bin $path)
fpath=($prefix/share/zsh/site-functions $fpath)
compadd() { print -l -- ${(P)@[-1]} } # zsh has one only while it completes; the last word names the array
_files() { print files }
words=("$@")
CURRENT=$#
autoload -U _kperf
_kperf
