import { openLog } from '../compose/log.ts'
import type { Logger } from '../log/logger.ts'
import { requestLine, startLines } from '../sandbox/lines.ts'
import { stateBytesMax } from '../sandbox/load.ts'
import { sandboxOptions } from '../sandbox/options.ts'
import type { LoggedRequest } from '../sandbox/request-log.ts'
import { SandboxError } from '../sandbox/sandboxError.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox/server.ts'
import { secretsOf } from '../sandbox/state.ts'
import { type Call, type Command, exitCodes, type Terminal, text, texts, UsageError } from './command.ts'
import { inputName, readInput } from './input.ts'
import { loggingOf } from './terminal.ts'

export const command: Command = {
  async run({ values, terminal, signal }) {
    const log = openLog(loggingOf(values, { level: 'info', format: 'auto' }, terminal), terminal)
    const file = text(values.state)
    const options = await optionsOf(values, file, terminal, signal)
    let hide = () => {}
    const onAnswered = (request: LoggedRequest, tookMs: number) => {
      hide()
      tellRequest(log, request, tookMs)
    }
    await using sandbox = await start({ ...options, onAnswered })
    hide = hiding(sandbox, terminal.secrets)
    hide()
    terminal.out(`${startLines(sandbox.url, sandbox.state, { dialect: options.dialect ?? 'specification', file }).join('\n')}\n`)
    await new Promise<void>((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })))
    tellUnstruck(log, sandbox)
    return exitCodes.done
  },
}

async function optionsOf(
  values: Call['values'],
  file: string | undefined,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<SandboxOptions> {
  const state = file === undefined ? undefined : { name: inputName(file), text: await stateText(file, terminal, signal) }
  return withUsageErrors(() =>
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
}

async function stateText(file: string, terminal: Terminal, signal: AbortSignal): Promise<string> {
  const read = await readInput(file, stateBytesMax, terminal, signal)
  if ('why' in read) throw new UsageError(`--state ${file}: ${read.why}`)
  const text = read.bytes.toString('utf8')
  if (text.trim() === '')
    throw new UsageError(`--state ${file}: there is nothing in it`, { cure: 'leave --state out for the usual workspace' })
  return text
}

async function start(options: SandboxOptions): Promise<Sandbox> {
  try {
    return await withUsageErrors(() => startSandbox(options))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const address = `${options.host ?? '127.0.0.1'}:${options.port}`
    if (code === 'EADDRINUSE')
      throw new UsageError(`${address} is in use`, { cause: error, cure: 'choose another --port, or 0 for any free one' })
    if (code === 'EACCES') throw new UsageError(`${address} needs more rights`, { cause: error, cure: 'choose a --port above 1023' })
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new UsageError(`--host ${options.host}: this machine has no such address`, {
        cause: error,
        cure: '127.0.0.1 is for this machine alone, 0.0.0.0 for all',
      })
    }
    throw error
  }
}

/** Runs `work`. An error of its input becomes an error of the command line. */
async function withUsageErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SandboxError)
      throw new UsageError(error.message, { cause: error, ...(error.cure === undefined ? {} : { cure: error.cure }) })
    throw error
  }
}

/** Hides the keys of the state in the log, since a client may send its key in an address by mistake. */
function hiding({ state }: Sandbox, { add }: Terminal['secrets']): () => void {
  let known: readonly unknown[] = []
  return () => {
    const { keys, applications, tokens } = state
    const present = [keys, applications, tokens]
    if (present.every((list, index) => list === known[index])) return
    known = present
    for (const secret of secretsOf(state)) add(secret)
  }
}

function tellRequest(log: Logger, request: LoggedRequest, tookMs: number): void {
  const { method, path, query, status, credential, remaining, faults, userAgent } = request
  const fields = { method, path, query, status, tookMs, credential, remaining, faults, userAgent }
  log.info({ event: 'request', ...fields }, requestLine(request, tookMs))
}

function tellUnstruck(log: Logger, { faults }: Sandbox): void {
  for (const { text: fault, matched, struck } of faults) {
    if (struck > 0) continue
    const why =
      matched === 0
        ? 'no request matched it'
        : `${matched} ${matched === 1 ? 'request' : 'requests'} matched it, and its chance or its turn did not come`
    log.warn({ event: 'fault', fault, matched }, `fault "${fault}" never struck: ${why}`)
  }
}
