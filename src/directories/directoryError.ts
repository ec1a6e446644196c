import { OperationalError } from '../core/operationalError.ts'
import { NoAnswer } from '../http/origin.ts'

/** Why a directory over HTTP gave no reading. The message is a sentence with the address; no secret is ever part of it or of its causes. */
export class DirectoryError extends OperationalError<DirectoryErrorCode> {
  override readonly name = 'DirectoryError'
  /** The same request may succeed a moment later. */
  readonly retryable: boolean
  constructor(code: DirectoryErrorCode, message: string, { cure, retryable = false, cause }: Particulars = {}) {
    super(code, message, { cure, cause })
    this.retryable = retryable
  }
}

export type DirectoryErrorCode =
  | 'unreachable'
  | 'aborted'
  | 'credentials'
  | 'rights'
  | 'missing'
  | 'failing'
  | 'garbled'
  | 'bound'
  | 'foreign'
  | 'insecure'

const unreachableCure = 'check the address, that the server runs, and that firewalls and network policies let it through'

type Particulars = { readonly cure?: string; readonly retryable?: boolean; readonly cause?: unknown }

/** Reading again is harmless, so whatever broke on the way is worth another attempt; what would break the same way is not. */
export function fromNoAnswer(error: NoAnswer): DirectoryError {
  switch (error.code) {
    case 'unreachable':
    case 'deadline':
    case 'cut':
      return new DirectoryError('unreachable', error.message, { retryable: true, cure: unreachableCure, cause: error })
    case 'aborted':
      return new DirectoryError('aborted', error.message, { cause: error })
    case 'tls':
      return new DirectoryError('unreachable', error.message, { cause: error })
    case 'tooLarge':
      return new DirectoryError('bound', error.message, { cure: 'lower pageSize', cause: error })
    default:
      return error.code satisfies never
  }
}
