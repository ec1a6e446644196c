import { EventEmitter } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { commands } from '../../../src/commands/all.ts'
import type { Terminal } from '../../../src/commands/command.ts'
import { optionsOf } from '../../../src/commands/description.ts'
import { errorReport } from '../../../src/commands/errorReport.ts'
import { openScrubber } from '../../../src/core/scrub.ts'

/** Runs a command as `main.ts` does, in this process. `said`: its whole output on both streams. */
export async function say(
  [name = '', ...args]: readonly string[],
  { env = {}, signal = AbortSignal.timeout(20_000) }: { readonly env?: Record<string, string>; readonly signal?: AbortSignal } = {},
): Promise<{ readonly code: number; readonly said: string }> {
  const secrets = openScrubber()
  let said = ''
  const write = (text: string) => {
    said += secrets.scrub(text)
  }
  const terminal: Terminal = {
    env,
    version: '0.0.0',
    node: process.version,
    secrets,
    out: write,
    err: write,
    isTerminal: { in: false, out: false, err: false },
    columns: 120,
    liveLine: undefined,
    errLosses: { linesLost: () => 0, onRecovery: () => undefined },
    errStream: new Writable({
      write: (chunk: Buffer, _, done) => {
        write(chunk.toString())
        done()
      },
    }),
    processes: { pid: process.pid, isAlive: () => false },
    signals: new EventEmitter(),
    ask: () => Promise.resolve(undefined),
    inStream: () => Readable.from([]),
  }
  try {
    const entry = commands[name]
    if (entry === undefined) throw new Error(`no command ${name}`)
    const [{ command }, description] = await Promise.all([entry.load(), entry.describe()])
    const options = optionsOf(description)
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
    return { code: await command.run({ values, positionals, terminal, signal }), said }
  } catch (error) {
    const { text, code } = errorReport(error)
    write(text)
    return { code, said }
  }
}
