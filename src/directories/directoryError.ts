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
  constructor(code: DirectoryErrorCode, message: string, { cure, cureOfOne, retryable = false, waitMs = 0, cause }: Particulars = {}) {
    super(code, message, { cure, cause })
    this.cureOfOne = cureOfOne
    this.retryable = retryable
    this.waitMs = waitMs
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
