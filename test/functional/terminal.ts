import { EventEmitter } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import type { Terminal } from '../../src/commands/command.ts'
import { openScrubber } from '../../src/core/scrub.ts'

/** The streams of a command that runs in the process of a test. `said` has the output of the command. */
export function terminalOf(more: Partial<Terminal> = {}): Terminal & { readonly said: { out: string; err: string } } {
  const said = { out: '', err: '' }
  return {
    secrets: openScrubber(),
    env: {},
    version: 'of a test',
    node: process.version,
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    isTerminal: { in: false, out: false, err: false },
    columns: 120,
    liveLine: undefined,
    errLosses: { linesLost: () => 0, onRecovery: () => undefined },
    errStream: new PassThrough(),
    ask: async () => undefined,
    inStream: () => Readable.from([]),
    processes: { pid: process.pid, isAlive: () => false },
    signals: new EventEmitter(),
    ...more,
    said,
  }
}
