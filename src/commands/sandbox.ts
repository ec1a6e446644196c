import { pipeMs, readBounded } from '../files/read.ts'
import { stateBytesMax } from '../sandbox/load.ts'
import { sandboxOptions } from '../sandbox/options.ts'
import { SandboxError } from '../sandbox/problem.ts'
import { startSandbox } from '../sandbox/server.ts'
import { type Command, exitCodes, text, texts, UsageError } from './command.ts'

export const command: Command = {
  summary: 'run Plane’s API as a local server for trials',
  options: {
    host: { type: 'string', value: 'HOST', describe: 'address to listen on (default: 127.0.0.1)' },
    port: { type: 'string', value: 'PORT', describe: 'port to listen on (default: 8787; 0: any free port)' },
    dialect: { type: 'string', value: 'NAME', describe: 'behave as the specification, or as the real service: specification, plane' },
    limit: { type: 'string', value: 'LIMIT', describe: 'rate limit of each credential (default: 60/minute)' },
    limiter: { type: 'string', value: 'KIND', describe: 'how requests are counted: sliding-log, …; see docs/sandbox.md' },
    published: { type: 'string', value: 'KIND', describe: 'what the rate-limit headers show: counted, unlocked, constant, nothing' },
    'rate-headers': { type: 'string', value: 'NAME', describe: 'names of the rate-limit headers: x-ratelimit, ratelimit, ratelimit-03' },
    idle: { type: 'string', value: 'TIME', describe: 'close idle connections after this time, such as 2s' },
    state: { type: 'string', value: 'FILE', describe: 'file with the initial state; see docs/sandbox.md' },
    fault: { type: 'string', multiple: true, value: 'FAULT', describe: 'a fault to inject; see docs/sandbox.md; can be repeated' },
    seed: { type: 'string', value: 'NUMBER', describe: 'seed of the random numbers' },
  },
  async run({ values, terminal, signal }) {
    const file = text(values.state)
    const state = file === undefined ? undefined : { name: file, text: await stateText(file, signal) }
    try {
      await using sandbox = await startSandbox(
        sandboxOptions({
          host: text(values.host),
          port: text(values.port) ?? '8787',
          dialect: text(values.dialect),
          limit: text(values.limit),
          limiter: text(values.limiter),
          published: text(values.published),
          rateHeaders: text(values['rate-headers']),
          idle: text(values.idle),
          seed: text(values.seed),
          state,
          faults: texts(values.fault),
        }),
      )
      terminal.out(`${sandbox.url}\n`)
      await new Promise<void>((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })))
      return exitCodes.done
    } catch (error) {
      if (error instanceof SandboxError) throw new UsageError(error.message, { cause: error })
      throw error
    }
  },
}

async function stateText(file: string, signal: AbortSignal): Promise<string> {
  const read = await readBounded(file, { bytesMax: stateBytesMax, pipeMs }, signal)
  if ('why' in read) throw new UsageError(`--state ${file}: ${read.why}`)
  return read.bytes.toString('utf8')
}
