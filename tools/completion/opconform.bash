# shellcheck shell=bash
# Completion of opconform(1) for bash. Needs nothing but bash itself.

_opconform_words() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$2")
}

_opconform_paths() {
  local word
  compopt -o filenames 2>/dev/null
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$@")
}

_opconform() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]-}
  local levels='1_0 2_0 2_1 3_0 3_1 4_0 4_1 5_0 5_1 5_2 6_0 6_1 6_2 6_3 6_4' options='--help'
  COMPREPLY=()

  if ((COMP_CWORD == 1)); then
    _opconform_words 'run list show validate spec coverage --help --version' "$current"
    return
  fi
  case $command in
    run)
      options+=' --backend --filter --feature-level --jobs --shard --timeout --isolate --guard --strict-gaps'
      options+=' --seed --memory-limit --json --coverage --expect --verbose --quiet'
      case $previous in
        --backend) _opconform_words 'reference optimized' "$current" && return ;;
        --feature-level) _opconform_words "$levels" "$current" && return ;;
        --guard) _opconform_words 'canary pages pages-before' "$current" && return ;;
        --json | --coverage | --expect) _opconform_paths -f -- "$current" && return ;;
        --filter | --jobs | -j | --shard | --timeout | --seed | --memory-limit) return ;;
      esac
      ;;
    list)
      options+=' --filter --json'
      [[ $previous != --filter ]] || return
      ;;
    validate | spec) options+=' --json' ;;
    coverage)
      options+=' --group --missing --fail-under --json --output'
      case $previous in
        --json | --output) _opconform_paths -f -- "$current" && return ;;
        --group | --fail-under) return ;;
      esac
      ;;
    show)
      if ((COMP_CWORD == 2)) && [[ $current != -* ]]; then
        _opconform_words "$("${COMP_WORDS[0]}" list --json 2>/dev/null |
          grep -o '"id": *"[^"]*"' | cut -d '"' -f 4)" "$current"
        return
      fi
      ;;
    *) return ;;
  esac

  if [[ $current == -* ]]; then
    _opconform_words "$options" "$current"
  elif [[ $command != spec ]]; then
    _opconform_paths -f -X '!*.json' -- "$current"
    _opconform_paths -d -- "$current"
  fi
}

complete -F _opconform opconform
