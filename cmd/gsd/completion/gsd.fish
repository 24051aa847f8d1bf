function __gsd_complete
  set -l words (commandline -opc) (commandline -ct)
  gsd __complete -- $words[2..-1] 2>/dev/null
end
complete -c gsd -f -a '(__gsd_complete)'
