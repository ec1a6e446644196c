import { OperationalError } from '../core/operationalError.ts'

type Circumstances = {
  readonly cure?: string
  /** The earliest time at which the next request is sent. */
  readonly untilMs?: number
  /** The status of the earlier answer, or of the token endpoint's answer, because of which the request was not sent. */
  readonly status?: number | undefined
  readonly cause?: unknown
}

/**
 * This program did not send a request, because the answer would be the same refusal or failure as before, its own queue is full, or it has no
 * credential. The message has no secret.
 */
export class NotSent extends OperationalError<'circuit' | 'throttled' | 'busy' | 'credential'> {
  override readonly name = 'NotSent'
  readonly untilMs: number | undefined
  readonly status: number | undefined
  constructor(code: NotSent['code'], message: string, { untilMs, status, ...more }: Circumstances) {
    super(code, message, more)
    this.untilMs = untilMs
    this.status = status
  }
}
