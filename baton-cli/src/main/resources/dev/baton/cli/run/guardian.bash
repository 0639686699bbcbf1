# The guardian of one command that runs under a lock. It outlives `baton run`: if that is killed, or stopped for so long
# that the lock is about to be lost, the guardian ends the command, so that nothing runs without the lock.
#
# bash reads this text, and then the messages of `baton run`, from one pipe. So the guardian needs no file, and the end of
# the pipe means that `baton run` has ended, for any reason.
#
#   mark TEXT      the variable in the environment of the command and its children, as NAME=VALUE; not passed as an
#                  argument, because other users can read arguments
#   grace MILLIS   between SIGTERM and SIGKILL
#   until MILLIS   the lock is certain for this long from now
#   pid NUMBER     the command
#   signal NAME    pass a signal on to the command, unless the whole process group, and so the command, got it already
#   end            the lock is lost: end the command
#   done           the command has ended by itself: exit, and leave its background processes alone

guard() {
    local result mark="" grace=0 left="" pid="" born="" members="" seen=" " heard=" " word argument name
    # In POSIX mode, which a variable may enable, a signal would end "read".
    set +o posix
    # A signal to the whole process group must not end the guardian of that group.
    trap '' TSTP TTIN TTOU PIPE ALRM
    # A signal does not show its sender. But a signal that the terminal or another process sends to the group arrives here
    # as well, and before the message about it: the kernel notifies all members before any of them can act.
    for name in INT QUIT HUP TERM USR1 USR2; do
        trap "heard+='$name '" "$name"
    done
    # Until here, such a signal would have ended the guardian. `baton run` waits for this line.
    echo listening
    exec >/dev/null
    while read -r ${left:+-t "$left"} word argument; do
        case "$word" in
            mark) mark="$argument" ;;
            grace) grace="$argument" ;;
            until) seconds "$((argument > grace ? argument - grace : 0))" && left="$result" ;;
            pid) pid="$argument" && birth "$pid" && born="$result" ;;
            signal) hand_on "$argument" ;;
            end) break ;;
            done) return 0 ;;
        esac
    done
    # Reached after "end", at the end of the pipe, or if no message came for too long.
    end
    return 1
}

# The functions that guard() calls set "result", because it must not start a process: a signal to the whole group would
# end that process before it has answered. The guardian itself survives such signals.

# Sets result to a number of seconds. Older shells can wait only for whole seconds. Rounding down is safer than up, but 0
# would mean "poll, do not wait".
seconds() {
    if ((BASH_VERSINFO[0] >= 4)); then
        printf -v result '%d.%03d' "$(($1 / 1000))" "$(($1 % 1000 ? $1 % 1000 : 1))"
    else
        result="$(($1 >= 2000 ? $1 / 1000 : 1))"
    fi
}

end() {
    local timer
    # The timer that starts now must not end early.
    trap '' INT QUIT HUP TERM USR1 USR2
    seconds "$grace"
    sleep "$result" &
    timer=$!
    look
    send TERM
    # A stopped process receives SIGTERM only after SIGCONT.
    send CONT
    while look && kill -0 "$timer" 2>/dev/null; do
        sleep 0.02
    done
    # A process that is just starting is not visible yet, so this repeats.
    while look; do
        send KILL
        sleep 0.02
    done
    kill -s KILL "$timer" 2>/dev/null
}

send() {
    # shellcheck disable=SC2086 # several
    kill -s "$1" $members 2>/dev/null
}

# Sets members to the live processes of the command: those that carry the mark, descendants of these and of the command,
# and those that were descendants when last seen, because they may have lost their parents since. A number that now
# belongs to another process does not count: that process started at another time.
look() {
    local everybody known grown=true process parent start
    everybody="$(processes)"
    known=" $(marked) "
    while read -r process parent start; do
        if [[ "$process" == "$pid" && "$start" == "$born" || "$seen" == *" $process@$start "* ]]; then
            known+="$process "
        fi
    done <<<"$everybody"
    while $grown; do
        grown=false
        while read -r process parent start; do
            if [[ "$known" == *" $parent "* && "$known" != *" $process "* ]]; then
                known+="$process "
                grown=true
            fi
        done <<<"$everybody"
    done
    family=() seen=" "
    while read -r process parent start; do
        if [[ "$known" == *" $process "* ]]; then
            family+=("$process $parent")
            seen+="$process@$start "
        fi
    done <<<"$everybody"
    order
    [[ -n "$members" ]]
}

# Sets members to the processes of a family, parents first; the input has one line per process with its parent. A shell
# that outlives its child, even for a moment, would print "Terminated" on the command's standard error.
order() {
    local parents later line
    members=""
    while ((${#family[@]})); do
        parents=" " later=()
        for line in "${family[@]}"; do
            parents+="${line% *} "
        done
        for line in "${family[@]}"; do
            if [[ "$parents" == *" ${line#* } "* ]]; then
                later+=("$line")
            else
                members+="${line% *} "
            fi
        done
        # A process is its own ancestor only if a number was reused while this looked.
        if ((${#later[@]} == ${#family[@]})); then
            members+="${later[*]% *} "
            return
        fi
        family=(${later[@]+"${later[@]}"})
    done
}

marked() {
    local file
    # An empty mark would match every environment.
    [[ "$mark" == *=?* ]] || return
    for file in $(carriers); do
        file="${file#/proc/}"
        printf '%s ' "${file%/environ}"
    done
}

# Prints the files of the environments that have the mark. Without grep, bash reads them, which takes ten times as long.
carriers() {
    local file entry
    if type grep >/dev/null 2>&1; then
        grep -lzxF -- "$mark" /proc/[0-9]*/environ 2>/dev/null
        return
    fi
    for file in /proc/[0-9]*/environ; do
        while IFS= read -r -d '' entry; do
            [[ "$entry" != "$mark" ]] || echo "$file"
        done 2>/dev/null <"$file"
    done
}

# Prints all live processes, with the parent's number and the start time.
processes() {
    local stat line
    if [[ ! -r /proc/self/stat ]]; then
        ps -A -o pid= -o ppid= -o state= -o lstart= | while read -r process parent state line; do
            [[ "$state" == Z* ]] || echo "$process $parent ${line//[^[:alnum:]]/_}"
        done
        return
    fi
    for stat in /proc/[0-9]*/stat; do
        { read -r line <"$stat"; } 2>/dev/null || continue
        # The name is in parentheses, and may contain parentheses itself.
        set -- ${line##*) }
        [[ "$1" == [ZX] ]] || echo "${line%% *} $2 ${20}"
    done
}

# birth PID: sets result to the start time of a process, as in the list of all processes; to nothing if there is none.
birth() {
    local process parent start line
    result=""
    if [[ -r /proc/self/stat ]]; then
        { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 0
        set -- ${line##*) }
        result="${20}"
        return 0
    fi
    # A signal to the group may end the list before it is complete.
    while [[ -z "$result" ]] && kill -0 "$1" 2>/dev/null; do
        while read -r process parent start; do
            [[ "$process" != "$1" ]] || result="$start"
        done < <(processes)
    done
}

hand_on() {
    if [[ "$heard" == *" $1 "* ]]; then
        heard="${heard//" $1 "/ }"
    elif [[ -n "$pid" ]] && birth "$pid" && [[ "$result" == "$born" ]]; then
        kill -s "$1" "$pid" 2>/dev/null
    fi
}

# On one line, so that the guardian, and not bash, reads everything that follows in the pipe.
guard; exit
