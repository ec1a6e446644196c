import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../freePorts.ts'

/** A slapd on loopback with free ports and a folder of its own. It is removed at the end of the block (`await using`). */
export type Slapd = AsyncDisposable & {
  readonly ldap: string
  readonly ldaps: string
  /** The CA that issued the server's certificate (PEM), and the file that holds it. */
  readonly ca: string
  readonly caFile: string
  readonly reader: typeof reader
  readonly groupsBase: string
  readonly pid: number
  /** Ends it like a power failure, without a goodbye to clients. */
  kill(): Promise<void>
}

export type SlapdOptions = {
  /** The groups `g0000` … in `ou=groups`. Each has `members` users, from an offset of its own. */
  readonly groups: number
  readonly members: number
  /** More entries below the suffix, as LDIF. */
  readonly ldif?: string
  /** The `limits` line for the reader. Default: unpaged 500, paged unlimited. */
  readonly limits?: string
  /** The subjectAltName in the syntax of openssl. */
  readonly certificateNames?: string
  /** The `access` lines. Default: all clients may read all entries. */
  readonly access?: string
  /** More lines of the configuration before the database, such as `TLSVerifyClient demand`. */
  readonly global?: string
}

const suffix = 'dc=example,dc=org'
const reader = { dn: `cn=reader,${suffix}`, password: 'reader "pä$$" word' } as const

export async function startSlapd(options: SlapdOptions): Promise<Slapd> {
  const folder = mkdtempSync(join(tmpdir(), 'slapd-'))
  const file = (name: string) => join(folder, name)
  makeCertificates(folder, options.certificateNames)
  writeFileSync(file('slapd.conf'), configuration(folder, options))
  writeFileSync(file('set.ldif'), ldif(options))
  mkdirSync(file('db'))
  execFileSync('/usr/sbin/slapadd', ['-q', '-f', file('slapd.conf'), '-l', file('set.ldif')], { stdio: 'pipe' })

  const [plainPort, tlsPort] = await freePorts(2)
  const urls = { ldap: `ldap://127.0.0.1:${plainPort}`, ldaps: `ldaps://127.0.0.1:${tlsPort}` }
  const child = spawn('/usr/sbin/slapd', ['-f', file('slapd.conf'), '-h', `${urls.ldap}/ ${urls.ldaps}/`, '-d', '0'], { stdio: 'ignore' })
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  const onExit = () => child.kill('SIGKILL')
  process.once('exit', onExit)
  const dispose = async () => {
    process.off('exit', onExit)
    await end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await untilAnswers(child, urls.ldap)
  } catch (error) {
    await dispose()
    throw error
  }
  return {
    ...urls,
    ca: readFileSync(file('ca.pem'), 'utf8'),
    caFile: file('ca.pem'),
    reader,
    groupsBase: `ou=groups,${suffix}`,
    pid: child.pid ?? 0,
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: dispose,
  }
}

const configuration = (
  folder: string,
  { limits = 'size.soft=500 size.hard=soft size.prtotal=unlimited', access = '', global = '' }: SlapdOptions,
): string => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
TLSCACertificateFile ${folder}/ca.pem
TLSCertificateFile ${folder}/cert.pem
TLSCertificateKeyFile ${folder}/key.pem
${global}
database mdb
maxsize 2147483648
suffix ${suffix}
directory ${folder}/db
index objectClass,cn eq
limits dn.exact="${reader.dn}" ${limits}
${access}
`

function ldif({ groups, members, ldif = '' }: SlapdOptions): string {
  const entry = (dn: string, ...lines: string[]) => `dn: ${dn}\n${lines.join('\n')}\n`
  const password = `userPassword:: ${Buffer.from(reader.password).toString('base64')}`
  const person = (number: number) => `uid=u${number},ou=people,${suffix}`
  return [
    entry(suffix, 'objectClass: domain', 'dc: example'),
    entry(`ou=groups,${suffix}`, 'objectClass: organizationalUnit', 'ou: groups'),
    entry(reader.dn, 'objectClass: applicationProcess', 'objectClass: simpleSecurityObject', 'cn: reader', password),
    ...Array.from({ length: groups }, (_, group) => {
      const cn = `g${String(group).padStart(4, '0')}`
      const people = Array.from({ length: members }, (_, member) => `member: ${person(group * members + member)}`)
      return entry(`cn=${cn},ou=groups,${suffix}`, 'objectClass: groupOfNames', `cn: ${cn}`, ...people)
    }),
    ldif,
  ].join('\n')
}

/** A CA and a certificate, both valid for a day. */
export function makeCertificates(folder: string, names = 'DNS:localhost,IP:127.0.0.1'): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=test CA')
  const leaf = ['-subj', '/CN=slapd', '-addext', `subjectAltName=${names}`, '-addext', 'basicConstraints=CA:FALSE']
  openssl('req', '-x509', ...key, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-keyout', 'key.pem', '-out', 'cert.pem', ...leaf)
}

/**
 * A client certificate and its key, as files beside the CA of a server.
 * @param subject as openssl writes it: `/O=Example/CN=reader`
 * @param days how long it is valid from now on; -1: it has expired
 */
export function issueCertificate(
  caFile: string,
  subject: string,
  days = 1,
): { readonly certificateFile: string; readonly keyFile: string } {
  const name = `client-${randomUUID()}`
  const cwd = dirname(caFile)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd, stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${name}.key`]
  openssl('req', ...key, '-out', `${name}.csr`, '-subj', subject)
  const from = ['-CA', caFile, '-CAkey', 'ca.key', '-CAcreateserial', '-days', `${days}`]
  openssl('x509', '-req', '-in', `${name}.csr`, ...from, '-out', `${name}.pem`)
  return { certificateFile: join(cwd, `${name}.pem`), keyFile: join(cwd, `${name}.key`) }
}

async function untilAnswers(child: ChildProcess, url: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(`slapd ended with ${child.exitCode}; is the package slapd installed?`)
    try {
      execFileSync('ldapsearch', ['-LLL', '-x', '-H', url, '-b', '', '-s', 'base', '1.1'], { stdio: 'ignore' })
      return
    } catch (error) {
      // A server that refuses anonymous clients has answered, too; ldapsearch ends with 255 if there is no connection.
      if (error instanceof Error && 'status' in error && error.status !== 255) return
      await sleep(25)
    }
  }
  throw new Error('slapd did not answer within 5 s')
}
