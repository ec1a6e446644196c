import { readFileSync } from 'node:fs'
import { openEnclosure } from './enclosure.ts'

/** A domain controller of Samba on loopback: the domain `AD`, `ad.example.org`. Its certificate is for `serverName`. */
export type SambaAd = AsyncDisposable & {
  readonly ldap: string
  readonly ldaps: string
  /** The global catalogue, without TLS. */
  readonly catalogue: string
  readonly ca: string
  readonly caFile: string
}

export const domain = 'DC=ad,DC=example,DC=org'
export const serverName = 'dc1.ad.example.org'
export const administrator = { dn: 'Administrator@ad.example.org', password: 'Passw0rd.of-a-test' } as const

/** A value of `unicodePwd` (MS-ADTS 3.1.1.3.1.5.1), as LDIF has it. */
export const unicodePwd = (password: string): string => `unicodePwd:: ${Buffer.from(`"${password}"`, 'utf16le').toString('base64')}`

/** Provisions the domain, and adds the entries of an LDIF to it. */
export async function startSambaAd(ldif: string): Promise<SambaAd> {
  const enclosure = await openEnclosure({
    name: 'samba-ad',
    script: 'sambaAd/start.sh',
    ports: [389, 636, 3268],
    files: { password: administrator.password, 'set.ldif': ldif },
    needs: 'the packages samba, samba-ad-dc, samba-ad-provision and iproute2',
  })
  const { host, file } = enclosure
  return {
    ldap: `ldap://${host}`,
    ldaps: `ldaps://${host}`,
    catalogue: `ldap://${host}:3268`,
    ca: readFileSync(file('ca.pem'), 'utf8'),
    caFile: file('ca.pem'),
    [Symbol.asyncDispose]: () => enclosure[Symbol.asyncDispose](),
  }
}
