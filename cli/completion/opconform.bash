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
    _opconform_words 'run fuzz reduce grid selftest coverage report compare certify list show validate spec corpus --help --version' "$current"
    return
  fi
  case $command in
    run)
      options+=' --backend --filter --feature-level --jobs --shard --timeout --isolate --guard --strict-gaps'
      options+=' --seed --repeat --label --memory-limit --json --html --markdown --junit --sarif --coverage --expect'
      options+=' --verbose --quiet'
      case $previous in
        --backend) _opconform_words 'reference optimized' "$current" && return ;;
        --feature-level) _opconform_words "$levels" "$current" && return ;;
        --guard) _opconform_words 'canary pages pages-before' "$current" && return ;;
        --json | --html | --markdown | --junit | --sarif | --coverage | --expect) _opconform_paths -f -- "$current" && return ;;
        --label) _opconform_words 'smoke' "$current" && return ;;
        --filter | --jobs | -j | --shard | --timeout | --seed | --repeat | --memory-limit) return ;;
      esac
      ;;
    list)
      options+=' --filter --json'
      [[ $previous != --filter ]] || return
      ;;
    validate | spec) options+=' --json' ;;
    grid)
      options+=' --backend --operator --json --seed'
      case $previous in
        --backend) _opconform_words 'reference optimized' "$current" && return ;;
        --operator) _opconform_words 'DML_SCATTER DML_SPLIT DML_SLICE1 ONNX_GATHER' "$current" && return ;;
        --json) _opconform_paths -f -- "$current" && return ;;
        --seed) return ;;
      esac
      ;;
    fuzz)
      options+=' --backend --operator --feature-level --seed --first --cases --time --strength --jobs --timeout'
      options+=' --isolate --out --resume --coverage --json --quiet'
      case $previous in
        --backend) _opconform_words 'reference optimized' "$current" && return ;;
        --operator) _opconform_words 'DML_SCATTER DML_SPLIT DML_SLICE1 ONNX_GATHER' "$current" && return ;;
        --feature-level) _opconform_words "$levels" "$current" && return ;;
        --out) _opconform_paths -d -- "$current" && return ;;
        --json | --coverage) _opconform_paths -f -- "$current" && return ;;
        --seed | --first | --cases | --time | --strength | --jobs | -j | --timeout) return ;;
      esac
      ;;
    reduce)
      options+=' --case --backend --out --seed --timeout --isolate'
      case $previous in
        --backend) _opconform_words 'reference optimized' "$current" && return ;;
        --out) _opconform_paths -f -- "$current" && return ;;
        --case | --seed | --timeout) return ;;
      esac
      ;;
    selftest)
      options+=' --only --label --no-fuzz --jobs --fuzz-time --seed --json'
      case $previous in
        --json) _opconform_paths -f -- "$current" && return ;;
        --label) _opconform_words 'smoke' "$current" && return ;;
        --only | --jobs | -j | --fuzz-time | --seed) return ;;
      esac
      ;;
    coverage)
      options+=' --group --missing --fail-under --json --output'
      case $previous in
        --json | --output) _opconform_paths -f -- "$current" && return ;;
        --group | --fail-under) return ;;
      esac
      ;;
    report)
      options+=' --html --markdown --junit --sarif --json --title'
      case $previous in
        --html | --markdown | --junit | --sarif | --json) _opconform_paths -f -- "$current" && return ;;
        --title) return ;;
      esac
      ;;
    compare)
      options+=' --backend --json --sarif --verbose'
      case $previous in
        --backend) _opconform_words 'reference optimized' "$current" && return ;;
        --json | --sarif) _opconform_paths -f -- "$current" && return ;;
      esac
      ;;
    certify)
      options+=' --backend --out --json --with --cases --seed --jobs --verify --sample --sample-seed'
      case $previous in
        --backend) _opconform_words 'reference optimized' "$current" && return ;;
        --out | --json | --with | --verify) _opconform_paths -f -- "$current" && return ;;
        --cases | --seed | --jobs | -j | --sample | --sample-seed) return ;;
      esac
      ;;
    corpus)
      options+=' --version --supersede --seed'
      if ((COMP_CWORD == 2)) && [[ $current != -* ]]; then
        _opconform_words 'verify update grow' "$current"
        return
      fi
      case $previous in --version | --supersede | --seed) return ;; esac
      ;;
    show)
      options+=' --whole'
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
  elif [[ $command != spec && $command != grid && $command != fuzz ]]; then
    _opconform_paths -f -X '!*.json' -- "$current"
    _opconform_paths -d -- "$current"
  fi
}

complete -F _opconform opconform
