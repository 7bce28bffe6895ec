#!/usr/bin/env bash
# check.sh TARBALL DEB: whether the packages hold what they promise, on a machine that runs as root and reaches a Debian archive by apt. The
# tarball without a trace of LLVM around it, the Debian package in a root of its own that has nothing but Debian 12's smallest set, as a user
# without privileges, in namespaces of its own. nvcc is tried where /usr/local/cuda is.
set -euo pipefail
readonly tarball=$(realpath "$1") deb=$(realpath "$2") source=$(realpath "$(dirname "$0")/../..")
readonly max_bytes=$((120 << 20)) glibc=2.34
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

stop() {
  printf 'check: %s\n' "$*" >&2
  exit 1
}

symbols() { # folder: no library but the C library's and libgcc_s, no symbol that came after
  local file newest others
  while read -r file; do
    others=$(readelf -d "$file" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -vxE 'lib(c|m|dl|pthread|gcc_s)\.so\.[0-9]|ld-linux-x86-64\.so\.2' || true)
    [[ -z $others ]] || stop "$file needs $others"
    newest=$(readelf -W --dyn-syms "$file" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1)
    [[ $(printf '%s\n' "GLIBC_$glibc" "$newest" | sort -V | tail -n 1) == "GLIBC_$glibc" ]] || stop "$file needs $newest"
  done < <(find "$1" -type f \( -perm -u+x -o -name '*.so' \) -exec sh -c 'head -c 4 "$1" | grep -q ELF' _ {} \; -print)
}

# What is run in either place; $1: the folder of the programs, "" where they are on PATH. Run with its folder as the working one.
cat >"$work/use.sh" <<'E2'
set -eu
PATH=${1:+$1:}/usr/local/cuda/bin:/usr/bin:/bin
cd vector_add
kperf-cc host -O2 vector_add.cu -o vector_add
KPERF_OUTPUT=host.kperf ./vector_add >/dev/null
kperf report host.kperf | grep -q vectorAdd
kperf-rewrite vector_add.cu -o rewritten.cu
if command -v nvcc >/dev/null; then
  kperf-cc --probes=region,memory nvcc -arch=sm_90 vector_add.cu -o on-gpu
  echo "check: nvcc: built"
else
  echo "check: nvcc: not tried, there is none"
fi
E2

(($(stat -c %s "$tarball") <= max_bytes)) || stop "$tarball has more than 120 MiB"
mkdir "$work/moved here"
tar -xf "$tarball" -C "$work/moved here" --strip-components=1
symbols "$work/moved here"
mkdir "$work/vector_add"
cp "$source/examples/vector_add/vector_add.cu" "$work/vector_add"
cp "$source/examples/"{trial,gpu}.h "$work" # which it includes
(cd "$work" && unshare --mount sh -c 'for folder in /usr/lib/llvm-*; do mount -t tmpfs none "$folder"; done; exec bash use.sh "$1"' _ "$work/moved here/bin")
echo "check: the tarball: $(($(stat -c %s "$tarball") >> 20)) MiB, runs without LLVM, glibc $glibc"

readonly root=$work/debian mirror=$(apt-get indextargets --format '$(SITE)' 'Codename: bookworm' | head -n 1)
debootstrap --variant=minbase bookworm "$root" "${mirror:?apt names no archive of Debian 12}" >"$work/debootstrap.log" 2>&1 || {
  tail -n 5 "$work/debootstrap.log"
  stop "debootstrap failed"
}
cp "$deb" "$root/tmp/kperf.deb"
chroot "$root" sh -c 'apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends /tmp/kperf.deb' >"$work/apt.log" 2>&1 || {
  tail -n 5 "$work/apt.log"
  stop "apt does not install the package in a bare Debian 12"
}
for file in share/man/man1/kperf.1.gz share/man/man1/kperf.1 share/bash-completion/completions/kperf share/zsh/vendor-completions/_kperf share/zsh/site-functions/_kperf \
  share/fish/vendor_completions.d/kperf.fish; do
  [[ ! -e $root/usr/$file ]] || echo "$file"
done >"$work/found"
(($(grep -cE 'man1|bash|zsh|fish' "$work/found") >= 4)) || stop "of manual page and completions there is only: $(tr '\n' ' ' <"$work/found")"
mkdir -p "$root/var/tmp/user" "$root/usr/local/cuda"
cp -r "$work/vector_add" "$work/trial.h" "$work/gpu.h" "$work/use.sh" "$root/var/tmp/user"
chroot "$root" useradd user
chroot "$root" chown -R user /var/tmp/user
unshare --mount --pid --fork --net sh -c '
  [ ! -d /usr/local/cuda ] || mount --bind /usr/local/cuda "$1/usr/local/cuda"
  mount -t proc proc "$1/proc"
  exec chroot --userspec=user "$1" sh -c "cd /var/tmp/user && HOME=/var/tmp/user exec bash use.sh \"\""' _ "$root"
echo "check: the Debian package: installed in a bare Debian 12, runs there for a user without privileges, without network and devices"
