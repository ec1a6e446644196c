import { type Client, ResultCodeError } from 'ldapts'
import { doubt } from '../../core/doubt.ts'
import { type Proving, proveByAnonymous } from './anonymousSeesLess.ts'
import { sameDn } from './dn.ts'
import { type Doing, failing, failureOf, LdapFailure, quoted } from './failure.ts'

/**
 * Proves that the server treats the connection as the account of the bind. A server sends fewer groups to an anonymous connection, and still answers with
 * success. The settings name the proof. By default it takes the first proof that the server offers, and never none.
 * @throws {LdapFailure}
 */
export async function proveIdentity(proving: Proving): Promise<void> {
  const { connection, settings, doing } = proving
  const { bind } = settings
  if (bind === 'anonymous') return
  switch (bind.proof) {
    case 'none':
      return
    case 'whoAmI':
      if (!(await proveByWhoAmI(connection.client, bind.dn, doing)))
        throw failing(doing, 'ldap.noWhoAmI', 'the server does not answer "Who am I?"', otherProof('whoAmI'))
      return
    case 'tokenGroups':
      if (!(await proveByTokenGroups(connection.client, bind.dn, doing)))
        throw failing(doing, 'ldap.noTokenGroups', 'the server does not answer a request for tokenGroups', otherProof('tokenGroups'))
      return
    case 'anonymousSeesLess':
      return proveByAnonymous(proving, '')
    case undefined:
      if (await proveByWhoAmI(connection.client, bind.dn, doing)) return
      if (await proveByTokenGroups(connection.client, bind.dn, doing)) return
      return proveByAnonymous(proving, 'the server answers neither "Who am I?" nor a request for tokenGroups, and ')
    default:
      bind.proof satisfies never
  }
}

const otherProof = (proof: string): string => `remove bind.proof: ${proof}, so that another proof is used`

const whoAmI = '1.3.6.1.4.1.4203.1.11.3'
const anonymousSid = Buffer.from('010100000000000507000000', 'hex')

/**
 * The answer to "Who am I?" (RFC 4532) is `dn:<DN>` or `u:<name>`. A DN must equal the account if the account is a DN (Active Directory also
 * accepts `name@domain` and `DOMAIN\name`). A `u:` name must not be empty.
 *
 * @returns false if the server refuses the request, whatever its result: Samba and Google say 2, others 12, 53, or 52 (ldaplite)
 */
async function proveByWhoAmI(client: Client, account: string, doing: Doing): Promise<boolean> {
  let answer: string
  try {
    answer = ((await client.exop(whoAmI)).value ?? '').trim()
  } catch (error) {
    if (error instanceof ResultCodeError) return false
    throw endsAtProof(failureOf(error, doing))
  }
  const dn = /^dn:(.*)$/s.exec(answer)?.[1]?.trim()
  if (answer === '' || dn === '' || answer === 'u:') throw seenAsAnonymous(doing, account)
  if (dn === undefined || !looksLikeDn(account) || sameDn(dn, account)) return true
  throw failing(
    doing,
    'ldap.seenAsOther',
    `the server knows ${quoted(account)} as ${quoted(dn)}`,
    doing.certificate === undefined
      ? 'if that is the account that you mean, write it as bind.dn'
      : 'if that is the account that you mean, write it as bind.dn; otherwise map the certificate to bind.dn in the server (OpenLDAP: authz-regexp)',
  )
}

/** Some servers end the connection at a request that they do not know, or give no answer. It may also be a fault of the network. */
const endsAtProof = ({ message, cure, elsewhere, cause }: LdapFailure) =>
  new LdapFailure(doubt('ldap.endsAtProof', `${message}, after it was asked "Who am I?"`), {
    cure: `${cure === undefined ? '' : `${cure}; `}if it is so at each reading, set bind.proof: anonymousSeesLess`,
    elsewhere,
    cause,
  })

const seenAsAnonymous = (doing: Doing, account: string) =>
  failing(
    doing,
    'ldap.seenAsAnonymous',
    `the server treats ${quoted(account)} as anonymous, in spite of the bind`,
    "find the bind in the server's log; if the server is wrong about the name, set bind.proof: anonymousSeesLess",
  )

const looksLikeDn = (account: string): boolean => account.includes('=')

/**
 * `tokenGroups` of the root entry are the groups of the bound account, which may not have the group of anonymous (S-1-5-7):
 * https://learn.microsoft.com/openspecs/windows_protocols/ms-adts/ 3.1.1.3.2.27
 *
 * @returns false if the root entry has none, or if the server refuses the request
 */
async function proveByTokenGroups(client: Client, account: string, doing: Doing): Promise<boolean> {
  let root: Readonly<Record<string, unknown>> | undefined
  try {
    const { searchEntries } = await client.search('', {
      scope: 'base',
      filter: '(objectClass=*)',
      attributes: ['tokenGroups'],
      explicitBufferAttributes: ['tokenGroups'],
      timeLimit: Math.ceil(doing.timeoutMs / 1000),
    })
    root = searchEntries[0]
  } catch (error) {
    if (error instanceof ResultCodeError) return false
    throw error
  }
  const [, tokenGroups = []] = Object.entries(root ?? {}).find(([name]) => name.toLowerCase() === 'tokengroups') ?? []
  // ldapts makes a text of it if the server writes the name in another case.
  const sids = [tokenGroups].flat().flatMap((sid) => (typeof sid === 'string' || Buffer.isBuffer(sid) ? [Buffer.from(sid)] : []))
  if (sids.some((sid) => sid.equals(anonymousSid))) throw seenAsAnonymous(doing, account)
  return sids.length > 0
}
