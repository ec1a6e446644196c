import { spawnSync } from 'node:child_process'

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

/** A terminal around the program, by `script` of util-linux. `after`: more of the shell's line. Without `columns` the terminal does not know its width. */
export function atTerminal(
  command: readonly string[],
  { columns, after = '' }: { readonly columns?: number; readonly after?: string } = {},
): readonly string[] {
  const width = columns === undefined ? '' : `stty cols ${columns}; `
  return ['script', '-qec', `${width}exec ${command.map(quoted).join(' ')}${after}`, '/dev/null']
}

/** On other systems `script` is a different program. */
export const hasTerminal = String(spawnSync('script', ['--version']).stdout).includes('util-linux')
