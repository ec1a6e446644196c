/** The text of an error of the file system, to follow a path in a sentence. `what`: what the path should lead to. */
export function errnoText(error: unknown, what = 'file'): string {
  const code = errnoOf(error)
  switch (code) {
    case 'ENOENT':
      return `there is no such ${what}`
    case 'ENOTDIR':
      return 'a part of its path is not a folder'
    case 'EISDIR':
      return 'this is a folder'
    case 'EACCES':
    case 'EPERM':
      return 'this account may not read it'
    case 'ELOOP':
      return 'this link leads to itself'
    case 'ENAMETOOLONG':
      return 'its name is too long'
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files are open'
    case 'EIO':
      return 'the disk reports an error'
    default:
      // Node's message is not shown: it names the path, and may hold more of the input.
      return `it cannot be read (${code ?? 'unknown error'})`
  }
}

export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
