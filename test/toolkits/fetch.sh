#!/usr/bin/env bash
# Debian's CUDA toolkits, unpacked below a folder and not installed: FOLDER/12.4 of Debian 13 and FOLDER/11.8 of Debian 12, which `apt install
# nvidia-cuda-toolkit` gives, less the libraries of mathematics. 2 GB to fetch, 0.6 GB on disk. Each is FOLDER/VERSION/usr/bin/nvcc, with
# everything at its place below FOLDER/VERSION, but for what nvcc's profile says.
set -euo pipefail

readonly packages="nvidia-cuda-toolkit nvidia-cuda-dev"
readonly own="libcu++-dev libcub-dev libthrust-dev"

stop() {
  printf 'toolkits: %s\n' "$*" >&2
  exit 2
}

# Has nvcc look below the folder for what Debian's packages have below /.
relocate() { # folder, absolute
  local root=$1 toolkit=$1/usr/lib/nvidia-cuda-toolkit
  rm -f "$toolkit/bin/nvcc.profile"
  cat >"$toolkit/bin/nvcc.profile" <<PROFILE
NVVMIR_LIBRARY_DIR = $toolkit/libdevice
PATH += $toolkit/bin:$root/usr/bin:
INCLUDES += -I$root/usr/include
LIBRARIES =+ \$(_SPACE_) -L$root/usr/lib/x86_64-linux-gnu/stubs -L$root/usr/lib/x86_64-linux-gnu
PROFILE
  printf '#!/bin/sh\nexec %s/bin/nvcc "$@"\n' "$toolkit" >"$root/usr/bin/nvcc"
}

fetch() { # folder, Debian's suite, further packages
  local to=$1 suite=$2 package state
  shift 2
  if [[ -f $to/complete ]]; then
    echo "toolkits: $to is there"
    return
  fi
  rm -rf "$to"
  mkdir -p "$to/state/lists/partial" "$to/packages"
  state=$(cd "$to/state" && pwd)
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main contrib non-free" >"$state/sources.list"
  local options=(-qq -o "Dir::Etc::SourceList=$state/sources.list" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State::Lists=$state/lists"
    -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o Acquire::Retries=3 -o APT::Sandbox::User=root)
  apt-get "${options[@]}" update || stop "no lists of Debian's $suite at '$mirror'; KPERF_DEBIAN names another mirror"
  for package in $packages $own "$@"; do
    (cd "$to/packages" && apt-get "${options[@]}" download "$package") || stop "Debian's $suite has no package '$package'"
    # Static libraries of mathematics and their like, profilers and pages are 4 GB.
    dpkg-deb --fsys-tarfile "$to/packages/$package"_*.deb | tar -x -C "$to" \
      --exclude='*/lib*_static*.a' --exclude='*/lib*_static_*.a' --exclude='*/doc/*' --exclude='*/man/*' --exclude='*/nvvp*'
    [[ $package != nvidia-cuda-dev ]] ||
      dpkg-deb --fsys-tarfile "$to/packages/$package"_*.deb | tar -x -C "$to" --wildcards '*/libcudart_static.a' '*/libcudadevrt.a'
    rm -f "$to/packages/$package"_*.deb
  done
  rm -rf "$to/state" "$to/packages"
  relocate "$(cd "$to" && pwd)"
  touch "$to/complete"
  echo "toolkits: $to"
}

(($# == 1)) || stop "found $# arguments, expected one: the folder that the toolkits go to"
[[ $(uname -m) == x86_64 ]] || stop "found a machine of $(uname -m), expected x86_64"
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || stop "no apt here: CUDA 11.8 and 12.4 come of Debian's packages"
# Where this machine's own packages come from.
mirror=${KPERF_DEBIAN:-$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep -m1 -E '/debian/?$' || true)}
[[ -n $mirror ]] || stop "apt has no source of Debian here; KPERF_DEBIAN names a mirror"
mkdir -p "$1"
fetch "$1/12.4" trixie libcudart12 libnvrtc12 libnvrtc-builtins12.4
fetch "$1/11.8" bookworm libcudart11.0 libnvrtc11.2 libnvrtc-builtins11.8
