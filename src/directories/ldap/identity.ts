import { type Client, ResultCodeError } from 'ldapts'
import { sameDn } from './dn.ts'
import { type Doing, failing, quoted } from './failure.ts'

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
export async function proveIdentity(client: Client, account: string, doing: Doing): Promise<void> {
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
  const [, found = []] = Object.entries(searchEntries[0] ?? {}).find(([name]) => name.toLowerCase() === 'tokengroups') ?? []
  const sids = [found].flat().map((sid) => Buffer.from(sid))
  if (sids.some((sid) => sid.equals(anonymousSid))) throw boundAsAnonymous(doing, account)
  if (sids.length === 0) {
    throw failing(doing, 'the server answers neither "Who am I?" nor a request for tokenGroups, so it is not known which account it sees')
  }
}
