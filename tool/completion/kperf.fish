# Fish completion for kperf, kperf-cc and kperf-rewrite.
function __kperf_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l program (realpath (command -v $words[1]))
    set -l lines (sh (dirname $program)/../share/kperf/completion.sh $program $words[2..-1] 2>/dev/null)
    if test (count $lines) -gt 0
        printf '%s\n' $lines
    else
        __fish_complete_path (commandline -ct)
    end
end

complete -c kperf -f -a '(__kperf_complete)'
complete -c kperf-cc -f -a '(__kperf_complete)'
complete -c kperf-rewrite -f -a '(__kperf_complete)'
