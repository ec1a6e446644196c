import { type Description, shells } from '../description.ts'

export const description: Description = {
  about: 'It completes commands, options, values and files.',
  takes: { name: 'bash|zsh|fish', choices: shells },
  options: {},
  common: [],
  examples: [
    { does: 'bash: in ~/.bashrc', line: 'source <(plane-group-sync completion bash)' },
    { does: 'zsh: in ~/.zshrc, after compinit', line: 'source <(plane-group-sync completion zsh)' },
    { does: 'fish', line: 'plane-group-sync completion fish > ~/.config/fish/completions/plane-group-sync.fish' },
  ],
  exits: ['done', 'usage'],
}
