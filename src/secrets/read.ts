import type { Finding } from '../core/finding.ts'
import { OperationalError } from '../core/operationalError.ts'
import { isFilePath, isVariableName, secretCharactersMin } from '../core/secretText.ts'
import { readBounded, type Unread } from '../files/read.ts'

/** Where a secret is, as the settings say it. */
type Reference = { readonly file: string } | { readonly env: string }

type SecretSources = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Gets every value before it is returned, so that no output shows it. */
  readonly registry: { add(secret: string): void }
  /** Called at each reading, also with findings that were reported before. */
  readonly noteFinding?: (finding: Finding) => void
  /** Resolves the path of a file; default: from the working directory. */
  readonly path?: (relative: string) => string
}

/** The secret cannot be read from the file or variable that the settings name. The message names the file or variable and never has any of its content. */
export class SecretError extends OperationalError<'missing' | 'unreadable' | 'unfit'> {
  override readonly name = 'SecretError'
  constructor(code: SecretError['code'], message: string, cure: string) {
    super(code, message, { cure })
  }
}

/** No key or password is larger, so a larger file is the wrong one. */
export const secretBytesMax = 65_536

/**
 * Reads the value of a reference, again at each call, so that rotation needs no restart. From a file: its content; one line break at its end is
 * removed. From an environment variable: its value.
 *
 * @throws {SecretError}
 */
export async function readSecret(
  reference: Reference,
  { env, registry, noteFinding, path = (file) => file }: SecretSources,
): Promise<string> {
  const [place, value] =
    'file' in reference
      ? [`secret file ${path(reference.file)}`, await fileValue(reference.file, path(reference.file), noteFinding)]
      : [`environment variable ${reference.env}`, variableValue(reference.env, env)]
  const problem = unfit(value)
  // A value that is too short is not registered: hiding it would change every line.
  if (value.trim().length >= secretCharactersMin) registry.add(value)
  if (problem !== undefined) throw new SecretError('unfit', `${place} ${problem.what}`, problem.cure)
  return value
}

/**
 * Why a secret cannot be read here, for a check that needs no secret: it is absent, or this user may not read it. Undefined if there is something to
 * read. The value is not checked, and is not kept.
 */
export async function whySecretAbsent(
  reference: Reference,
  { env, path = (file) => file }: Pick<SecretSources, 'env' | 'path'>,
): Promise<{ readonly source: string; readonly why: string } | undefined> {
  if ('env' in reference) {
    const value = env[reference.env]
    if (value !== undefined && value.trim() !== '') return undefined
    const source = isVariableName(reference.env)
      ? `the environment variable ${reference.env}`
      : 'the environment variable that is named here'
    return { source, why: value === undefined ? 'is not set' : 'is empty' }
  }
  const read = await readBounded(path(reference.file), { bytesMax: secretBytesMax })
  if (!('why' in read) || (read.reason !== 'missing' && read.reason !== 'forbidden')) return undefined
  const source = isFilePath(reference.file) ? `the file ${path(reference.file)}` : 'the file that is named here'
  return { source, why: read.reason === 'missing' ? 'does not exist' : 'may not be read by this user' }
}

function unfit(value: string): { readonly what: string; readonly cure: string } | undefined {
  if (value.trim() === '') return { what: 'is empty', cure: 'put the secret into it' }
  if (value.includes('\0')) return { what: 'contains a NUL byte', cure: 'name the file that has the secret as text' }
  if (value.trim().length >= secretCharactersMin) return undefined
  return {
    what: `has fewer than ${secretCharactersMin} characters, too few to be kept out of the log`,
    cure: 'see whether it is the whole secret; if it is, use a longer one',
  }
}

function variableValue(name: string, env: SecretSources['env']): string {
  const value = env[name]
  if (value !== undefined) return value
  // If no such variable exists, its name may be the secret itself.
  const named = isVariableName(name) ? `environment variable ${name}` : 'the environment variable that is named here'
  throw new SecretError('missing', `${named} is not set`, 'set it, or name a file: { file: … }')
}

async function fileValue(file: string, path: string, noteFinding: SecretSources['noteFinding']): Promise<string> {
  const read = await readBounded(path, { bytesMax: secretBytesMax })
  if ('why' in read) throw unreadable(file, path, read)
  if ((read.mode & 0o004) !== 0) noteFinding?.(worldReadable(path))
  return text(path, read.bytes).replace(/\r?\n$/, '')
}

function text(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new SecretError('unfit', `secret file ${path} is not UTF-8 text`, 'is it the right file?')
  }
}

function unreadable(file: string, path: string, { reason, why }: Unread): SecretError {
  // If there is no such file, its path may be the secret itself.
  const named = isFilePath(file) ? `secret file ${path}` : 'the secret file that is named here'
  switch (reason) {
    case 'missing':
      return new SecretError('missing', `${named} does not exist`, 'create it, or correct its path in the settings')
    case 'forbidden': {
      const cure = 'give it to the user that this program runs as (in Kubernetes: securityContext.fsGroup)'
      return new SecretError('unreadable', `${named} may not be read by this user`, cure)
    }
    case 'notAFile':
      return new SecretError('unreadable', `${named} is not a regular file: ${why}`, 'name a file')
    case 'tooLarge':
      return new SecretError('unfit', `${named} has more than ${secretBytesMax / 1024} KiB`, 'is it the right file?')
    case 'failed':
      return new SecretError('unreadable', `${named} cannot be read: ${why}`, 'see that it is a readable file')
    default:
      return reason satisfies never
  }
}

const worldReadable = (file: string): Finding => ({
  code: 'secret-file-world-readable',
  severity: 'warning',
  place: file,
  sentence: 'every user of this machine can read this secret',
  cure: `chmod o-r ${file}; in Kubernetes: defaultMode: 0440 with securityContext.fsGroup`,
})
