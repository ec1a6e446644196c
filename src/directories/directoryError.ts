import { doubt } from '../core/doubt.ts'
import { OperationalError } from '../core/operationalError.ts'
import { networkCure } from '../http/connectionTrouble.ts'
import { NoAnswer } from '../http/origin.ts'

/** Why a directory over HTTP could not be read. The message is a sentence with the address. Neither it nor its causes contain a secret. */
export class DirectoryError extends OperationalError<DirectoryErrorCode> {
  override readonly name = 'DirectoryError'
  /** The same request may succeed a moment later. */
  readonly retryable: boolean
  /** The server asks to wait this long before the next request. */
  readonly waitMs: number
  /** What to do instead of `cure` if the account may do the same with other groups, so that its rights are not the cause. */
  readonly cureOfOne: string | undefined
  /** No request of the reading can succeed, whatever it asks for. */
  readonly concernsAll: boolean
  /** The most attempts of the request; absent: as many as of any other. */
  readonly attemptsMax: number | undefined
  constructor(code: DirectoryErrorCode, message: string, particulars: Particulars = {}) {
    const { cure, cureOfOne, retryable = false, waitMs = 0, cause, concernsAll = false, attemptsMax } = particulars
    super(code, message, { cure, cause })
    this.cureOfOne = cureOfOne
    this.retryable = retryable
    this.waitMs = waitMs
    this.concernsAll = concernsAll
    this.attemptsMax = attemptsMax
  }
}

type DirectoryErrorCode =
  | 'unreachable'
  | 'aborted'
  | 'credentials'
  | 'rights'
  | 'missing'
  | 'otherResource'
  | 'failing'
  | 'throttled'
  | 'garbled'
  | 'bound'
  | 'foreign'
  | 'insecure'

type Particulars = {
  readonly cure?: string | undefined
  readonly cureOfOne?: string | undefined
  readonly retryable?: boolean
  readonly waitMs?: number
  readonly cause?: unknown
  readonly concernsAll?: boolean
  readonly attemptsMax?: number | undefined
}

/** The same error about whatever is asked for: without a token nothing is answered. */
export function concerningAll(error: unknown): unknown {
  if (!(error instanceof DirectoryError)) return error
  const { code, message, cure, retryable, waitMs, cause, attemptsMax } = error
  return new DirectoryError(code, message, { cure, retryable, waitMs, cause, attemptsMax, concernsAll: true })
}

/** The error for a request without an answer. A failure that may be over at the next attempt is retryable; a reading can be repeated without harm. */
export function fromNoAnswer(error: NoAnswer, tooLargeCure = 'lower pageSize'): DirectoryError {
  switch (error.code) {
    case 'cut':
      return new DirectoryError('unreachable', error.message, { retryable: true, cure: error.cure ?? cutCure, cause: error })
    case 'unreachable':
    case 'deadline':
      return new DirectoryError('unreachable', error.message, { retryable: true, cure: error.cure ?? networkCure, cause: error })
    case 'aborted':
      return new DirectoryError('aborted', error.message, { cause: error })
    case 'tls':
      return new DirectoryError('unreachable', error.message, { cure: error.cure, cause: error })
    case 'tooLarge':
      return new DirectoryError('bound', doubt('http.tooLarge', error.message), { cure: tooLargeCure, cause: error })
    default:
      return error.code satisfies never
  }
}

/** In TLS 1.3 a server that wants a certificate of the client may only close the connection. */
const cutCure =
  'look for the reason in the log of the server, or of a proxy before it; a server that demands a client certificate may end a connection like this, too'
