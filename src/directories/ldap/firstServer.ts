import { X509Certificate } from 'node:crypto'
import { messageOf } from '../../core/errorText.ts'
import { type Connection, openConnection } from './connection.ts'
import { failureOf, LdapFailure, quoted } from './failure.ts'
import { proveIdentity } from './identity.ts'
import type { CallSink } from './loggedClient.ts'
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
      return await openBound(address, index + 1, settings, calls, password, signal)
    } catch (error) {
      const failure = failureOf(error, { step: 'open', address, what: `bind as ${quoted(accountOf(settings))}`, ...whoAndWhen(settings) })
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

async function openBound(
  address: string,
  attempt: number,
  settings: LdapSettings,
  calls: CallSink,
  password: string,
  signal: AbortSignal,
): Promise<Connection> {
  const connection = await openConnection(address, attempt, settings, calls, signal)
  try {
    if (externalBindOf(settings) === undefined)
      await connection.client.bind(settings.bind === 'anonymous' ? '' : settings.bind.dn, password)
    else await connection.client.bind('EXTERNAL')
    if (settings.bind !== 'anonymous') {
      const doing = { step: 'open', address, what: 'proof of identity', ...whoAndWhen(settings) } as const
      await proveIdentity(connection.client, settings.bind.dn, doing)
    }
    return connection
  } catch (error) {
    connection.destroy()
    throw connection.brokenBy() ?? error
  }
}

const whoAndWhen = (settings: LdapSettings) => ({
  account: accountOf(settings),
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
