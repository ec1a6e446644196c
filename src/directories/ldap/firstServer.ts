import { X509Certificate } from 'node:crypto'
import { PasswordPolicyControl, ResultCodeError } from 'ldapts'
import { messageOf } from '../../core/errorText.ts'
import { type CallSink, type Connection, openConnection } from './connection.ts'
import { type Doing, failureOf, LdapFailure, quoted } from './failure.ts'
import { proveIdentity } from './identity.ts'
import { accountOf, externalBindOf, type LdapSettings } from './settings.ts'

/**
 * A connection to the first address that accepts the account, with the bind done and the identity proved.
 * The next address is tried only if the cause lies in one server. A refused password ends the search: each further try could lock the account.
 *
 * @throws {LdapFailure}
 */
export async function firstThatWorks(
  settings: LdapSettings,
  { log = () => undefined, ...calls }: CallSink & { readonly log?: (line: string) => void },
  signal: AbortSignal,
): Promise<Connection> {
  const password = await passwordOf(settings)
  const failures: LdapFailure[] = []
  for (const [index, address] of settings.addresses.entries()) {
    if (signal.aborted) throw new LdapFailure(`${address}: given up before it was asked`)
    try {
      return await openBound({ address, attempt: index + 1, settings, calls, log, password }, signal)
    } catch (error) {
      const failure = failureOf(error, bindOf(address, settings))
      if (!failure.elsewhere) throw failure
      log(`address skipped: ${failure.message}`)
      failures.push(failure)
    }
  }
  const [first] = failures
  throw failures.length === 1 && first
    ? first
    : new LdapFailure(`none of ${failures.length} addresses can be read: ${failures.map(({ message }) => message).join('; ')}`, {
        cure: first?.cure,
      })
}

type Opening = {
  readonly address: string
  readonly attempt: number
  readonly settings: LdapSettings
  readonly calls: CallSink
  readonly log: (line: string) => void
  readonly password: string
}

async function openBound({ address, attempt, settings, calls, log, password }: Opening, signal: AbortSignal): Promise<Connection> {
  const open = async (bind: (connection: Connection) => Promise<void>): Promise<Connection> => {
    const connection = await openConnection(address, attempt, settings, calls, signal)
    try {
      await bind(connection)
      return connection
    } catch (error) {
      connection.destroy()
      throw connection.brokenBy() ?? error
    }
  }
  return open(async (connection) => {
    if (settings.bind === 'anonymous') await connection.client.bind('', '')
    else if (externalBindOf(settings) === undefined) await bindWithPolicy(connection, address, settings, settings.bind.dn, password)
    else await connection.client.bind('EXTERNAL')
    const doing = { step: 'open', address, what: 'proof of identity', ...whoAndWhen(settings) } as const
    const openAnonymous = (how: 'anonymous' | 'none') =>
      open(async ({ client }) => {
        if (how === 'anonymous') await client.bind('', '')
      })
    await proveIdentity({ connection, settings, doing, openAnonymous, log })
  })
}

/**
 * Binds, and asks the server to say with its answer whether the password has expired, the account is locked, or the password must be changed
 * (draft-behera-ldap-password-policy). OpenLDAP says none of it otherwise. The control is not critical, so a server that does not know it goes on without
 * it (RFC 4511 §4.1.11); SSSD sends it with each bind. A server that refuses it, against the standard, is asked again without it: it has not looked at the
 * password.
 */
async function bindWithPolicy(
  connection: Connection,
  address: string,
  settings: LdapSettings,
  dn: string,
  password: string,
): Promise<void> {
  const { client } = connection
  const policy = new PasswordPolicyControl()
  try {
    await client.bind(dn, password, policy)
  } catch (error) {
    const policyError = policy.value?.error
    if (connection.brokenBy() === undefined && policyError !== undefined)
      throw failureOf(error, { ...bindOf(address, settings), policyError })
    if (!(error instanceof ResultCodeError) || (error.code !== 2 && error.code !== 12)) throw error
    await client.bind(dn, password)
  }
}

const bindOf = (address: string, settings: LdapSettings): Doing => ({
  step: 'open',
  address,
  what: `bind as ${quoted(accountOf(settings))}`,
  ...whoAndWhen(settings),
})

const whoAndWhen = (settings: LdapSettings) => ({
  account: accountOf(settings),
  startTls: settings.startTls ?? false,
  timeoutMs: settings.timeoutMs,
  hasCaFile: settings.ca !== undefined,
  certificate: shownCertificate(settings),
})

/** The certificate that is shown to the server, for messages. */
function shownCertificate(settings: LdapSettings): string | undefined {
  const bind = externalBindOf(settings)
  if (bind === undefined) return undefined
  const { subject, validToDate } = new X509Certificate(bind.external.certificate)
  return `${quoted(subject.replaceAll('\n', ', '))}, valid until ${validToDate.toISOString()}, of ${bind.certificateFile}`
}

/** An empty password is refused: a bind with a name and no password succeeds as anonymous (RFC 4513 §5.1.2). A certificate needs no password. */
async function passwordOf({ bind }: LdapSettings): Promise<string> {
  if (bind === 'anonymous') return ''
  if (bind.dn.trim() === '') throw new LdapFailure('bind.dn is empty', { cure: 'name the account, or write bind: anonymous' })
  if ('external' in bind) return ''
  let password: string
  try {
    password = await bind.password()
  } catch (error) {
    throw new LdapFailure(`the password of ${quoted(bind.dn)} cannot be read: ${messageOf(error)}`, {
      cause: error,
    })
  }
  if (password === '')
    throw new LdapFailure(`the password of ${quoted(bind.dn)} is empty`, { cure: 'check the file or variable that holds it' })
  return password
}
