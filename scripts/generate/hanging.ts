import { type Behaviour, type Hanging, hangingCommands } from '../../test/functional/process/hanging-table.ts'

/** The table of docs/dev/hanging.md: a row for each thing that hangs, a column for each command. */
export function renderHanging(rows: readonly Hanging[]): string {
  const head = ['what hangs', 'limit', 'the message names', ...hangingCommands.map((command) => `\`${command}\``), 'SIGTERM']
  const body = rows.map(({ what, limit, names, does, stop }) => [
    what,
    limit,
    names,
    ...hangingCommands.map((command) => words[does[command]]),
    stop === undefined ? 'at once' : 'within 8 s',
  ])
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const words: Readonly<Record<Behaviour, string>> = {
  unaffected: '–',
  settles: 'reads again',
  fails: 'exit 1',
  refuses: 'exit 78',
  'goes on': 'goes on',
}
