# shellcheck shell=bash
# Completion of opconform(1) for bash. The program itself says what may follow.

_opconform_paths() {
  local word
  compopt -o filenames 2>/dev/null
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$@")
}

_opconform() {
  local current=${COMP_WORDS[COMP_CWORD]} kind word
  COMPREPLY=()
  while read -r kind word; do
    case $kind in
      word) COMPREPLY+=("$word") ;;
      files) _opconform_paths -f -- "$current" ;;
      folders) _opconform_paths -d -- "$current" ;;
      case-files)
        _opconform_paths -f -X '!*.json' -- "$current"
        _opconform_paths -d -- "$current"
        ;;
    esac
  done < <("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}

complete -F _opconform opconform
