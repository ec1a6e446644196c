import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Finding } from './core/finding.ts'

/** Where a secret is. A file's path is taken as it is: relative ones begin at the working directory. */
type Reference = { readonly file: string } | { readonly env: string }

export type SecretSources = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Learns every value before anybody else does. */
  readonly registry: { add(secret: string): void }
  /** Told at every reading; who shows it knows what was shown. */
  readonly found?: (finding: Finding) => void
}

/** There is no secret where the settings say. The message names the file or variable and never holds any of its content. */
export class SecretError extends Error {
  override readonly name = 'SecretError'
  readonly code: 'missing' | 'unreadable' | 'unfit'
  readonly cure: string
  constructor(code: SecretError['code'], message: string, cure: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
    this.cure = cure
  }
}

/** No key or password is larger; what is, is the wrong file. */
export const secretBytesMax = 65_536
/** A shorter one is in nearly every line, so it could not be kept out of a log without destroying it. */
export const secretCharactersMin = 4

/**
 * The value behind a reference, read anew at each call, so that rotation needs no restart: a file's content less one line end, or an
 * environment variable as it is.
 *
 * @throws {SecretError}
 */
export async function readSecret(reference: Reference, { env, registry, found }: SecretSources): Promise<string> {
  const [place, value] =
    'file' in reference
      ? [`secret file ${reference.file}`, await fileValue(reference.file, found)]
      : [`environment variable ${reference.env}`, variableValue(reference.env, env)]
  registry.add(value)
  const problem = unfit(value)
  if (problem !== undefined) throw new SecretError('unfit', `${place} ${problem}`, `put the secret into it, and nothing else`)
  return value
}

function unfit(value: string): string | undefined {
  if (value.trim() === '') return 'is empty'
  if (value.includes('\0')) return 'contains a NUL byte: is it the right one?'
  if (value.length < secretCharactersMin) return `has less than ${secretCharactersMin} characters, too few to be kept out of the log`
  return undefined
}

function variableValue(name: string, env: SecretSources['env']): string {
  const value = env[name]
  if (value === undefined) {
    throw new SecretError('missing', `environment variable ${name} is not set`, 'set it, or name a file: { file: … }')
  }
  return value
}

async function fileValue(file: string, found: SecretSources['found']): Promise<string> {
  // NONBLOCK: a pipe that nobody writes to must not hold the program for ever.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw unreadable(file, error)
  })
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw new SecretError('unreadable', `secret file ${file} is not a regular file`, 'name a file')
    if ((stat.mode & 0o004) !== 0) found?.(worldReadable(file))
    return text(file, await bounded(file, handle, stat.size)).replace(/\r?\n$/, '')
  } catch (error) {
    throw error instanceof SecretError ? error : unreadable(file, error)
  } finally {
    await handle.close()
  }
}

/** Nearly every secret fits into this. */
const usualBytes = 4_096

/** @param size as the file system says it: one that says less, as of files that it makes up, is read to its end */
async function bounded(file: string, handle: FileHandle, size: number): Promise<Buffer> {
  let buffer = Buffer.alloc(usualBytes)
  for (let length = 0; ; ) {
    if (length > secretBytesMax) {
      throw new SecretError('unfit', `secret file ${file} has more than ${secretBytesMax / 1024} KiB`, 'is it the right file?')
    }
    // One byte more than is allowed, to see that it is too much.
    if (length === buffer.length) buffer = Buffer.concat([buffer], secretBytesMax + 1)
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
    length += bytesRead
    if (bytesRead === 0 || (length === size && length <= secretBytesMax)) return buffer.subarray(0, length)
  }
}

function text(file: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new SecretError('unfit', `secret file ${file} is not UTF-8 text`, 'is it the right file?')
  }
}

function unreadable(file: string, error: unknown): SecretError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new SecretError('missing', `secret file ${file} does not exist`, 'create it, or correct its path in the settings', error)
  }
  if (code === 'EACCES' || code === 'EPERM') {
    const cure = 'give it to the user that this program runs as (in Kubernetes: securityContext.fsGroup)'
    return new SecretError('unreadable', `secret file ${file} may not be read by this user`, cure, error)
  }
  return new SecretError(
    'unreadable',
    `secret file ${file} cannot be read (${String(code ?? error)})`,
    'see that it is a readable file',
    error,
  )
}

const worldReadable = (file: string): Finding => ({
  code: 'secret-file-world-readable',
  severity: 'warning',
  place: file,
  sentence: 'every user of this machine can read this secret',
  cure: `chmod o-r ${file}; in Kubernetes: defaultMode: 0440 with securityContext.fsGroup`,
})
