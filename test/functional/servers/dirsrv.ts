import { readFileSync } from 'node:fs'
import { type Enclosure, openEnclosure } from './enclosure.ts'

/** A 389-ds on loopback, whose database is an LDIF. */
export type Dirsrv = AsyncDisposable & {
  readonly ldap: string
  readonly ldaps: string
  /** The CA that issued the server's certificate (PEM), and the file that holds it. The certificate is for `localhost`. */
  readonly ca: string
  readonly caFile: string
}

const instance = (suffix: string) => `[general]
config_version = 2
full_machine_name = localhost
strict_host_checking = False
start = False
systemd = False
[slapd]
instance_name = test
root_password = the-password-of-root
self_sign_cert = True
[backend-userroot]
suffix = ${suffix}
sample_entries = no
`

/** Makes an instance with `dscreate`, and imports the LDIF, which begins with the suffix. */
export async function startDirsrv(suffix: string, ldif: string): Promise<Dirsrv> {
  const files = { 'instance.inf': instance(suffix), 'set.ldif': ldif }
  const enclosure: Enclosure = await openEnclosure({
    name: 'dirsrv',
    script: 'dirsrv/start.sh',
    ports: [389, 636],
    files,
    needs: 'the packages 389-ds-base and iproute2',
  })
  return {
    ldap: `ldap://${enclosure.host}`,
    ldaps: `ldaps://${enclosure.host}`,
    ca: readFileSync(enclosure.file('ca.pem'), 'utf8'),
    caFile: enclosure.file('ca.pem'),
    [Symbol.asyncDispose]: () => enclosure[Symbol.asyncDispose](),
  }
}
