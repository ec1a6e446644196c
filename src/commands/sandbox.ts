import { openLog } from '../compose/log.ts'
import type { Logger } from '../log/logger.ts'
import type { DialectName } from '../sandbox/dialect.ts'
import { stateBytesMax } from '../sandbox/load.ts'
import { sandboxOptions } from '../sandbox/options.ts'
import type { LoggedRequest } from '../sandbox/request-log.ts'
import { SandboxError } from '../sandbox/sandboxError.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox/server.ts'
import { publicKey, type State, secretsOf } from '../sandbox/state.ts'
import { limitText } from '../sandbox/throttle.ts'
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

/** The lines that a person sees at the start. The first one is the address alone, for scripts. No key of a state file is shown. */
function startLines(
  url: string,
  state: State,
  { dialect, file }: { readonly dialect: DialectName; readonly file: string | undefined },
): readonly string[] {
  const { keys } = state
  const isPublic = keys.length === 1 && keys[0]?.value === publicKey
  return [
    url,
    `  key         ${isPublic ? `${publicKey}, in the header X-API-Key` : `${keys.length} in ${file ?? 'the state'}`}`,
    `  workspaces  ${shortened(Object.entries(state.workspaces).map(workspaceText)) || 'none'}`,
    `  dialect     ${dialect}`,
    `  limit       ${limitText(state.limit)} for each credential`,
    `  control     ${url}/_sandbox/`,
  ]
}

function workspaceText([slug, { projects }]: [string, State['workspaces'][string]]): string {
  return `${slug} (${shortened(projects.map(({ identifier }) => identifier)) || 'no projects'})`
}

const shownMax = 5
function shortened(texts: readonly string[]): string {
  const more = texts.length - shownMax
  return [...texts.slice(0, shownMax), ...(more > 0 ? [`… ${more} more`] : [])].join(', ')
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

/** One request as a sentence for the log: no body, and no credential but its name. */
function requestLine(request: LoggedRequest, tookMs: number): string {
  const { method, path, query, status, credential, remaining, faults } = request
  return [
    `${method} ${path}${query === '' ? '' : `?${query}`} ${status ?? 'no answer'} in ${tookMs} ms`,
    `credential ${credential}`,
    ...(remaining === undefined ? [] : [`${remaining} left`]),
    ...faults.map((fault) => `fault "${fault}"`),
  ].join(' · ')
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
