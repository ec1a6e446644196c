import { type Command, exitCodes, UsageError } from './command.ts'
import { completeWord, shells } from './description.ts'

/** The scripts ask the program itself for the candidates (`candidates.ts`), so they stay right after an update. */
export const command: Command = {
  async run({ positionals: [which], terminal }) {
    const shell = shells.find((name) => name === which)
    if (shell === undefined)
      throw new UsageError(`completion takes one of ${shells.join(', ')}${which === undefined ? '' : `, not "${which}"`}`)
    terminal.out(scripts[shell])
    return exitCodes.done
  },
}

const bash = `# Completion of plane-group-sync for bash: source <(plane-group-sync completion bash)
_plane_group_sync() {
  local current=\${COMP_WORDS[COMP_CWORD]} kind word rest
  COMPREPLY=()
  {
    read -r kind
    while IFS=$'\\t' read -r word rest; do COMPREPLY+=("$word"); done
  } < <("\${COMP_WORDS[0]/#\\~/$HOME}" ${completeWord} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ $kind == files ]]; then
    [[ $current == = ]] && current=
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
  fi
}
complete -F _plane_group_sync plane-group-sync
`

const zsh = `#compdef plane-group-sync
# Completion of plane-group-sync for zsh: source <(plane-group-sync completion zsh)
_plane_group_sync() {
  local -a answer found
  local line word rest
  answer=("\${(@f)$("\${(Q)words[1]/#\\~/$HOME}" ${completeWord} "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $answer[1] == files ]]; then
    compset -P '--*='
    _files
    return
  fi
  for line in "\${(@)answer[2,-1]}"; do
    word=\${line%%$'\\t'*}
    rest=\${line#*$'\\t'}
    [[ -n $word ]] && found+=("\${word//:/\\\\:}\${rest:+:$rest}")
  done
  _describe plane-group-sync found
}
if [[ $funcstack[1] == _plane_group_sync ]]; then _plane_group_sync; else compdef _plane_group_sync plane-group-sync; fi
`

const fish = `# Completion of plane-group-sync for fish: plane-group-sync completion fish > ~/.config/fish/completions/plane-group-sync.fish
function __plane_group_sync_candidates
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l answer ($words[1] ${completeWord} $words[2..] "$current" 2>/dev/null)
    if test "$answer[1]" = files
        __fish_complete_path (string replace -r '^--[^=]+=' '' -- "$current")
    else
        printf '%s\\n' $answer[2..]
    end
end
complete -c plane-group-sync -f -a '(__plane_group_sync_candidates)'
`

const scripts: Readonly<Record<(typeof shells)[number], string>> = { bash, zsh, fish }
