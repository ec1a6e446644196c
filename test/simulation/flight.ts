import { type Answer, NoAnswer } from '../../src/http/origin.ts'
import type { ClockOf } from './network.ts'
import type { Time } from './time.ts'
import type { Happened } from './trace.ts'

/** One request as its sender sees it. It ends once: with an answer, or with none. The service goes on with it in both cases. */
export type Flight = {
  readonly open: () => boolean
  /** Runs `work` later, unless the flight has ended. */
  readonly later: (ms: number, work: () => void) => void
  readonly answer: (answer: Sent, intact: boolean) => void
  readonly silence: (code: NoAnswer['code'], sent: boolean) => void
  readonly result: Promise<Answer>
}

/** One answer on the wire. */
export type Sent = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }

export type Sender = { readonly process: number; readonly request: number; readonly deadlineMs: number; readonly clock: ClockOf }

const whys: Readonly<Record<NoAnswer['code'], string>> = {
  unreachable: 'cannot connect (ECONNREFUSED)',
  tls: 'the certificate is refused',
  deadline: 'no complete answer in time',
  cut: 'the connection ended before the answer was complete',
  tooLarge: 'the answer is too large',
  aborted: 'given up',
}

/** @param onEnd called when the flight ends, in whatever way */
export function openFlight(
  { process, request, deadlineMs, clock }: Sender,
  time: Time,
  trace: (event: Happened) => void,
  onEnd: () => void,
  signal: AbortSignal,
): Flight {
  const { promise: result, resolve, reject } = Promise.withResolvers<Answer>()
  const sentAtMs = clock.now()
  const timers: (() => void)[] = []
  let open = true

  function end(): boolean {
    if (!open) return false
    open = false
    for (const cancel of timers) cancel()
    signal.removeEventListener('abort', giveUp)
    onEnd()
    return true
  }
  function silence(code: NoAnswer['code'], sent: boolean): void {
    if (!end()) return
    trace({ atMs: time.now(), is: 'silence', process, request, why: code })
    reject(new NoAnswer(code, sent, clock.now(), whys[code]))
  }
  const giveUp = () => silence('aborted', true)
  const later = (ms: number, work: () => void) => {
    timers.push(time.at(time.now() + ms, () => (open ? work() : undefined)))
  }

  if (signal.aborted) giveUp()
  signal.addEventListener('abort', giveUp)
  later(clock.trueMs(deadlineMs), () => silence('deadline', true))
  return {
    open: () => open,
    later,
    answer({ status, headers, body }, intact) {
      if (!end()) return
      const told = headers['retry-after']
      const asked = told === undefined ? {} : { retryAfterS: Number(told) }
      trace({ atMs: time.now(), is: 'answered', process, request, status, body, intact, ...asked })
      resolve({ status, headers, body, sentAtMs, receivedAtMs: clock.now() })
    },
    silence,
    result,
  }
}
