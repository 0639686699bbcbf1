# Unpacks Debian packages, and the libraries that this machine lacks for them, into the user's cache. It installs nothing
# and does not need root. Arguments: PACKAGES and PROGRAM, where PACKAGES are names separated by spaces, and PROGRAM is a
# path such as usr/bin/memcached.
# Prints the directory and, in a second line, the directories with shared libraries in it, separated by colons.
set -euo pipefail
export LC_ALL=C
read -ra packages <<<"$1"
program="$2"
package="${packages[0]}"

for tool in apt-get dpkg dpkg-deb ldd; do
    command -v "$tool" >/dev/null || { echo "no $tool here" >&2; exit 1; }
done
release="$(. /etc/os-release && echo "${ID:-debian}-${VERSION_ID:-unstable}")"
home="${XDG_CACHE_HOME:-${HOME:?}/.cache}/baton/servers/$release-$(dpkg --print-architecture)"
target="$home/$package"
# libraries DIRECTORY: prints the directories with libraries below it, separated by colons.
libraries() {
    find "$1" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:
}
show() {
    echo "$target"
    libraries "$target"
}
if [[ -x "$target/$program" ]]; then
    show
    exit
fi

mkdir -p "$home"
work="$(mktemp -d "$home/.$package-XXXXXX")"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tree" "$work/debs" "$work/lists/partial" "$work/cache/archives/partial"

# Uses the machine's own package lists first. If they are missing or too old, uses separate lists.
own=()
apt() {
    apt-get -qq -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=2 -o Acquire::http::Timeout=20 \
        -o Dir::Cache="$work/cache" "${own[@]}" "$@" >&2
}
download() {
    (cd "$work/debs" && apt download "$1")
}
fetch() {
    if ! download "$1"; then
        own=(-o Dir::State::lists="$work/lists")
        if [[ ! -e "$work/updated" ]]; then
            apt update
            : >"$work/updated"
        fi
        download "$1"
    fi
}
deb() {
    echo "$work/debs/$1"_*.deb
}
missing_libraries() {
    LD_LIBRARY_PATH="$(libraries "$work/tree")" ldd "$work/tree/$program" | grep 'not found'
}

for each in "${packages[@]}"; do
    fetch "$each"
    dpkg-deb -x "$(deb "$each")" "$work/tree"
done
while missing_libraries >/dev/null && ((${#packages[@]} > 0)); do
    # Fetch the libraries among the dependencies, level by level, but use this machine's C library.
    needed="$(for each in "${packages[@]}"; do
        dpkg-deb -f "$(deb "$each")" Depends | tr , '\n' | sed -E 's/^ *([^ |(:]+).*/\1/' | grep '^lib' || true
    done | sort -u)"
    packages=()
    for each in $needed; do
        if [[ "$each" != libc6 && ! -e "$work/tree/.$each" ]]; then
            fetch "$each"
            dpkg-deb -x "$(deb "$each")" "$work/tree"
            : >"$work/tree/.$each"
            packages+=("$each")
        fi
    done
done
if missing_libraries >&2; then
    exit 1
fi

# If another process was faster, it has put the same files there.
mv -T "$work/tree" "$target" 2>/dev/null || [[ -x "$target/$program" ]]
show
