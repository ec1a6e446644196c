import { OperationalError } from '../core/operationalError.ts'

type Circumstances = {
  readonly cure?: string
  /** When the service is asked again. */
  readonly untilMs?: number
  /** Of an earlier answer, or of the token endpoint, which is why nothing was sent. */
  readonly status?: number | undefined
  readonly cause?: unknown
}

/** This program did not send a request: it knows the answer, its own bound is met, or it has no credential. The words hold no secret. */
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
