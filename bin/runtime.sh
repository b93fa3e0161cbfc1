# Sourced by the scripts beside it, with $root: the Node that npm pinned, and what every process of Rookery runs with.
node=$root/node_modules/.bin/node
if [ ! -x "$node" ]; then
  node=node
  "$node" "$root/bin/check-node.cjs" || exit 1
fi
# TypeScript is stripped once and kept, which saves every later start time and memory: beside the packages, or where root has
# installed them, in the user's own folder.
cache=$root/node_modules/.cache/rookery
[ -d "$cache" ] || mkdir -p "$cache" 2>/dev/null
[ -w "$cache" ] || cache=${XDG_CACHE_HOME:-${HOME:-$root}/.cache}/rookery
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$cache}"
# Memory that pictures were worked on in goes back to the system.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}" MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-131072}"
# Garbage takes no more memory than what is alive does.
memory='--max-semi-space-size=16 --heap-growing-percent=85'
