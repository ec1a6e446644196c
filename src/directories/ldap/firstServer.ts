import { X509Certificate } from 'node:crypto'
import { type Client, PasswordPolicyControl, ResultCodeError } from 'ldapts'
import { messageOf } from '../../core/errorText.ts'
import { type CallSink, type Connection, openConnection } from './connection.ts'
import { sameDn } from './dn.ts'
import { type Doing, failing, failureOf, LdapFailure, quoted } from './failure.ts'
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

async function openBound(
  address: string,
  attempt: number,
  settings: LdapSettings,
  calls: CallSink,
  password: string,
  signal: AbortSignal,
): Promise<Connection> {
  const connection = await openConnection(address, attempt, settings, calls, signal)
  const policy = new PasswordPolicyControl()
  try {
    if (settings.bind === 'anonymous') await connection.client.bind('', '')
    else if (externalBindOf(settings) === undefined) await bindWithPolicy(connection.client, settings.bind.dn, password, policy)
    else await connection.client.bind('EXTERNAL')
    if (settings.bind !== 'anonymous') {
      const doing = { step: 'open', address, what: 'proof of identity', ...whoAndWhen(settings) } as const
      await proveIdentity(connection.client, settings.bind.dn, doing)
    }
    return connection
  } catch (error) {
    connection.destroy()
    const policyError = policy.value?.error
    if (connection.brokenBy() === undefined && policyError !== undefined)
      throw failureOf(error, { ...bindOf(address, settings), policyError })
    throw connection.brokenBy() ?? error
  }
}

/**
 * Binds, and asks the server to say with its answer whether the password has expired, the account is locked, or the password must be changed
 * (draft-behera-ldap-password-policy). OpenLDAP says none of it otherwise. The control is not critical, so a server that does not know it goes on without
 * it (RFC 4511 §4.1.11); SSSD sends it with each bind. A server that refuses it, against the standard, is asked again without it: it has not looked at the
 * password.
 */
async function bindWithPolicy(client: Client, dn: string, password: string, policy: PasswordPolicyControl): Promise<void> {
  try {
    await client.bind(dn, password, policy)
  } catch (error) {
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

const whoAmI = '1.3.6.1.4.1.4203.1.11.3'
const anonymousSid = Buffer.from('010100000000000507000000', 'hex')

/**
 * Proves that the server treats the connection as the account of the bind. A server sends fewer groups to an anonymous connection, and still answers
 * with success.
 *
 * The answer to "Who am I?" (RFC 4532) is `dn:<DN>` or `u:<name>`. A DN must equal the account if the account is a DN (Active Directory also
 * accepts `name@domain` and `DOMAIN\name`). A `u:` name must not be empty.
 * If the server does not know the request (Samba: result 2), the root entry must have `tokenGroups`, without the group of anonymous (S-1-5-7).
 *
 * @throws {LdapFailure}
 */
async function proveIdentity(client: Client, account: string, doing: Doing): Promise<void> {
  let answer: string
  try {
    answer = ((await client.exop(whoAmI)).value ?? '').trim()
  } catch (error) {
    if (error instanceof ResultCodeError && error.code === 2) return await proveByTokenGroups(client, account, doing)
    throw error
  }
  const dn = /^dn:(.*)$/s.exec(answer)?.[1]?.trim()
  if (answer === '' || dn === '' || answer === 'u:') {
    throw boundAsAnonymous(doing, account)
  }
  if (dn !== undefined && looksLikeDn(account) && !sameDn(dn, account)) {
    throw failing(
      doing,
      `the server knows ${quoted(account)} as ${quoted(dn)}`,
      doing.certificate === undefined
        ? 'if that is the account that you mean, write it as bind.dn'
        : 'if that is the account that you mean, write it as bind.dn; otherwise map the certificate to bind.dn in the server (OpenLDAP: authz-regexp)',
    )
  }
}

const boundAsAnonymous = (doing: Doing, account: string) =>
  failing(doing, `the server treats ${quoted(account)} as anonymous, in spite of the bind`, "find the bind in the server's log")

const looksLikeDn = (account: string): boolean => account.includes('=')

/** https://learn.microsoft.com/openspecs/windows_protocols/ms-adts/ 3.1.1.3.2.27: `tokenGroups` of the root entry are the groups of the bound account. */
async function proveByTokenGroups(client: Client, account: string, doing: Doing): Promise<void> {
  const { searchEntries } = await client.search('', {
    scope: 'base',
    filter: '(objectClass=*)',
    attributes: ['tokenGroups'],
    explicitBufferAttributes: ['tokenGroups'],
    timeLimit: Math.ceil(doing.timeoutMs / 1000),
  })
  const [, tokenGroups = []] = Object.entries(searchEntries[0] ?? {}).find(([name]) => name.toLowerCase() === 'tokengroups') ?? []
  const sids = [tokenGroups].flat().map((sid) => Buffer.from(sid))
  if (sids.some((sid) => sid.equals(anonymousSid))) throw boundAsAnonymous(doing, account)
  if (sids.length === 0) {
    throw failing(doing, 'the server answers neither "Who am I?" nor a request for tokenGroups, so it is not known which account it sees')
  }
}
