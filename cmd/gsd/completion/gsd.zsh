#compdef gsd
_gsd() {
  local -a candidates
  candidates=("${(@f)$(gsd __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- "${candidates[@]}"
}
if [ "$funcstack[1]" = "_gsd" ]; then _gsd "$@"; else compdef _gsd gsd; fi
