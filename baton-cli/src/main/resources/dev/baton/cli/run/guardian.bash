# The guardian of one command that runs under a lock. It outlives `baton run`: when that is killed, or stopped for so long
# that the lock is about to be lost, it ends the command, so that nothing goes on without the lock.
#
# bash reads this text, and then the words of `baton run`, from one pipe: the guardian needs no file, and the end of the
# pipe is the end of `baton run`, however it came.
#
#   mark TEXT      what the command and its children carry in their environment, as NAME=VALUE; no argument, for others
#                  can read those
#   grace MILLIS   between SIGTERM and SIGKILL
#   until MILLIS   the lock is sure for so long from now
#   pid NUMBER     the command
#   signal NAME    hand a signal on to the command, unless it was sent to the whole process group, and so to the command
#   end            the lock is lost: end the command
#   done           the command has ended by itself: go, and leave what it started in the background alone

guard() {
    local mark="" grace=0 left="" pid="" born="" members="" seen=" " heard=" " word argument name
    # In its other mode, which a variable may ask for, "read" would end with a signal.
    set +o posix
    # What a whole process group gets must not take away who watches over it.
    trap '' TSTP TTIN TTOU PIPE ALRM
    # Who sent a signal is not to be seen. But what the terminal or somebody else sends to the group comes here too, and
    # earlier than the word of it: the kernel tells all members before any of them can do something.
    for name in INT QUIT HUP TERM USR1 USR2; do
        trap "heard+='$name '" "$name"
    done
    while read -r ${left:+-t "$left"} word argument; do
        case "$word" in
            mark) mark="$argument" ;;
            grace) grace="$argument" ;;
            until) left="$(seconds "$((argument > grace ? argument - grace : 0))")" ;;
            pid) pid="$argument" born="$(birth "$argument")" ;;
            signal) hand_on "$argument" ;;
            end) break ;;
            done) return 0 ;;
        esac
    done
    # Told so, or nobody is there any more to tell, or for too long nobody did.
    end
    return 1
}

# Older shells wait for whole seconds only, and sooner is safer than later; not at all would be "look, do not wait".
seconds() {
    if ((BASH_VERSINFO[0] >= 4)); then
        printf '%d.%03d' "$(($1 / 1000))" "$(($1 % 1000 ? $1 % 1000 : 1))"
    else
        echo "$(($1 >= 2000 ? $1 / 1000 : 1))"
    fi
}

end() {
    local timer
    # What it starts now must not end before its time.
    trap '' INT QUIT HUP TERM USR1 USR2
    sleep "$(seconds "$grace")" &
    timer=$!
    look
    send TERM
    # What is stopped does not hear it otherwise.
    send CONT
    while look && kill -0 "$timer" 2>/dev/null; do
        sleep 0.02
    done
    # Whoever is just being started is not seen yet: so several times.
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

# Sets members to the command and whatever it started, as far as they live: those who carry the mark, those who descend
# from them or from the command, and those who did so when seen last, for they may have lost their parents since. A number
# that was given to another process meanwhile is nobody of them: it began at another time.
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

# Sets members to the processes of a family, given as lines with their parents; parents first. A shell that outlives
# what it runs, if only for a moment, would say "Terminated" on the command's standard error.
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
        # Nobody is his own ancestor, unless a number was used again while we looked.
        if ((${#later[@]} == ${#family[@]})); then
            members+="${later[*]% *} "
            return
        fi
        family=(${later[@]+"${later[@]}"})
    done
}

marked() {
    local file
    # Nothing would be in everybody's environment.
    [[ "$mark" == *=?* ]] || return
    for file in $(carriers); do
        file="${file#/proc/}"
        printf '%s ' "${file%/environ}"
    done
}

# The files of the environments that have the mark. Without a grep, bash reads them, which takes ten times as long.
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

# Everybody who lives, with the parent's number and the time of birth.
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
        # The name stands in parentheses, and may have some itself.
        set -- ${line##*) }
        [[ "$1" == [ZX] ]] || echo "${line%% *} $2 ${20}"
    done
}

# When a process began, as it stands in the list of all; nothing if there is none.
birth() {
    local process parent start line
    if [[ -r /proc/self/stat ]]; then
        { read -r line <"/proc/$1/stat"; } 2>/dev/null || return
        set -- ${line##*) }
        echo "${20}"
        return
    fi
    while read -r process parent start; do
        [[ "$process" != "$1" ]] || echo "$start"
    done < <(processes)
}

hand_on() {
    if [[ "$heard" == *" $1 "* ]]; then
        heard="${heard//" $1 "/ }"
    elif [[ -n "$pid" && "$(birth "$pid")" == "$born" ]]; then
        kill -s "$1" "$pid" 2>/dev/null
    fi
}

# In one line: whatever follows it in the pipe is said to the guardian, and not to bash.
guard; exit
