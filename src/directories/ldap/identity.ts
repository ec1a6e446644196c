import { type Client, ResultCodeError } from 'ldapts'
import { sameDn } from './dn.ts'
import { type Doing, failing, quoted } from './failure.ts'

const whoAmI = '1.3.6.1.4.1.4203.1.11.3'
const anonymousSid = Buffer.from('010100000000000507000000', 'hex')

/**
 * Proves that the connection speaks as the account that was bound: a server that answers as nobody shows less and calls it success.
 *
 * Who am I? (RFC 4532) answers `dn:<DN>` or `u:<name>`. A DN must be the account's, where the account is given as one
 * (Active Directory also takes `name@domain` and `DOMAIN\name`); a `u:` name only has to be there.
 * Where the server does not know the request (Samba: result 2), the root entry must give `tokenGroups` and they must not be those of nobody (S-1-5-7).
 */
export async function proveIdentity(client: Client, account: string, doing: Doing): Promise<void> {
  let answer: string
  try {
    answer = ((await client.exop(whoAmI)).value ?? '').trim()
  } catch (error) {
    if (error instanceof ResultCodeError && error.code === 2) return await proveByTokenGroups(client, doing)
    throw error
  }
  const dn = /^dn:(.*)$/s.exec(answer)?.[1]?.trim()
  if (answer === '' || dn === '' || answer === 'u:') {
    throw failing(doing, `the server takes ${quoted(account)} for nobody, in spite of the bind`, "look at the bind in the server's log")
  }
  if (dn !== undefined && looksLikeDn(account) && !sameDn(dn, account)) {
    throw failing(
      doing,
      `the server takes ${quoted(account)} for ${quoted(dn)}`,
      'write the second name as bind.dn, if it is the account that you mean',
    )
  }
}

const looksLikeDn = (account: string): boolean => account.includes('=')

/** https://learn.microsoft.com/openspecs/windows_protocols/ms-adts/ 3.1.1.3.2.27: on the root entry, the groups of whoever asks. */
async function proveByTokenGroups(client: Client, doing: Doing): Promise<void> {
  const { searchEntries } = await client.search('', {
    scope: 'base',
    filter: '(objectClass=*)',
    attributes: ['tokenGroups'],
    explicitBufferAttributes: ['tokenGroups'],
    timeLimit: Math.ceil(doing.timeoutMs / 1000),
  })
  const [, found = []] = Object.entries(searchEntries[0] ?? {}).find(([name]) => name.toLowerCase() === 'tokengroups') ?? []
  const sids = [found].flat().map((sid) => Buffer.from(sid))
  if (sids.length === 0 || sids.some((sid) => sid.equals(anonymousSid))) {
    throw failing(
      doing,
      'the server knows neither "Who am I?" nor tokenGroups of the account, so nobody can tell whose rights its answers have',
    )
  }
}
