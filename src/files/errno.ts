import { OperationalError } from '../core/operationalError.ts'

/** The text of an error of the file system, to follow a path in a sentence. `what`: what the path should lead to. */
export const errnoText = (error: unknown, what = 'file'): string => sentence(errnoOf(error), 'read', what)

/** The same for a file, folder or stream that cannot be written. */
export const writeErrnoText = (error: unknown): string => sentence(errnoOf(error), 'write', 'folder')

function sentence(code: string | undefined, verb: 'read' | 'write', what: string): string {
  switch (code) {
    case 'ENOENT':
      return `there is no such ${what}`
    case 'ENOTDIR':
      return 'a part of its path is not a folder'
    case 'EISDIR':
      return 'this is a folder'
    case 'EACCES':
    case 'EPERM':
      return `this account may not ${verb} it`
    case 'EROFS':
      return 'the file system is read-only'
    case 'ENOSPC':
      return 'the disk is full, or its file system takes no further file'
    case 'EDQUOT':
      return 'the quota of this account is used up'
    case 'EFBIG':
      return 'it would be larger than this process may write (ulimit -f)'
    case 'ETXTBSY':
      return 'this is a program that runs'
    case 'ELOOP':
      return 'this link leads to itself'
    case 'ENAMETOOLONG':
      return 'its name is too long'
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files are open'
    case 'EIO':
      return verb === 'read' ? 'the disk reports an error' : 'the disk or the terminal reports an error'
    case 'EPIPE':
      return 'its reader is gone'
    default:
      // Node's message is not shown: it names the path, and may hold more of the input.
      return `it cannot be ${verb === 'read' ? 'read' : 'written'} (${code ?? 'unknown error'})`
  }
}

/** The code of an error of Node; undefined for an error of this program, whose code has another meaning. */
export const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && !(error instanceof OperationalError) && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
