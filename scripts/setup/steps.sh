# shellcheck shell=bash
# One line per step: what it does and how long it took. All that the step says goes to the log.

readonly log=${MEETDECK_DATA_DIR:-var}/setup.log
log_is_open=no

# Milliseconds on some clock; bash before 5 (macOS) counts whole seconds only.
milliseconds() {
  local now=${EPOCHREALTIME:-$SECONDS.000000}
  echo $((10#${now/[.,]/} / 1000))
}

open_log() {
  [ $log_is_open = no ] || return 0
  if ! { mkdir -p "$(dirname "$log")" && : >"$log"; } 2>/dev/null; then
    stop "$log cannot be written" "Make its folder yours, or set MEETDECK_DATA_DIR to one that is."
  fi
  log_is_open=yes
  printf 'Setting up Meetdeck (details: %s)\n' "$log"
}

# step LABEL COMMAND…  The status is the command's.
step() {
  local label=$1 started took status=0
  shift
  open_log
  printf '  %-52s' "$label"
  printf '\n== %s\n' "$label" >>"$log"
  started=$(milliseconds)
  "$@" >>"$log" 2>&1 </dev/null 9<&- || status=$?
  took=$(($(milliseconds) - started))
  if [ $status = 0 ]; then
    printf '%4d.%d s\n' $((took / 1000)) $((took % 1000 / 100))
  else
    printf 'failed\n'
  fi
  return $status
}

# stop WHAT WHAT-TO-DO…  Ends the set-up with a sentence about what was wrong and one about what to do.
stop() {
  printf '\nMeetdeck is not set up: %s.\n' "$1" >&2
  shift
  printf '%s\n' "$@" >&2
  exit 1
}

# Prints the last lines that the last step wrote.
said_last() { # LINES
  printf '\n'
  awk '/^== / { said = ""; next } { said = said "    " substr($0, 1, 150) "\n" } END { printf "%s", said }' "$log" | tail -n "$1"
}

# stop_after_step WHAT WHAT-TO-DO…  The same, after the last lines that the failed step wrote.
stop_after_step() {
  said_last 12 >&2
  stop "$@" "The whole story: $log"
}
