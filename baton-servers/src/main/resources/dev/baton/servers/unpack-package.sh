# Unpacks a Debian package, and the libraries that this machine lacks for it, into a cache of the user's: nothing is
# installed, and root is not needed. Arguments: PACKAGE and PROGRAM, where PROGRAM is a path such as usr/bin/memcached.
# Prints the directory and, in a second line, where in it are shared libraries, with colons between the places.
set -euo pipefail
export LC_ALL=C
package="$1" program="$2"

for tool in apt-get dpkg dpkg-deb ldd; do
    command -v "$tool" >/dev/null || { echo "no $tool here" >&2; exit 1; }
done
release="$(. /etc/os-release && echo "${ID:-debian}-${VERSION_ID:-unstable}")"
home="${XDG_CACHE_HOME:-${HOME:?}/.cache}/baton/servers/$release-$(dpkg --print-architecture)"
target="$home/$package"
# Where libraries are below a directory.
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

# With what the machine knows of its package sources; where that is nothing or too old, with lists of our own.
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

fetch "$package"
dpkg-deb -x "$(deb "$package")" "$work/tree"
packages=("$package")
while missing_libraries >/dev/null && ((${#packages[@]} > 0)); do
    # The libraries among the dependencies, one level after the other; the C library is this machine's.
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

# Whoever was faster has put the same there.
mv -T "$work/tree" "$target" 2>/dev/null || [[ -x "$target/$program" ]]
show
