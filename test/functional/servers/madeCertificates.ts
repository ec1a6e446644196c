import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Made = { readonly key: string; readonly cert: string }
type How = {
  readonly digest?: 'sha256' | 'sha1'
  readonly key?: string
  readonly days?: number
  /** The lines of its extensions, in the syntax of openssl. */
  readonly extensions?: string
  /** The name of the certificate that signs it. Default: the CA. */
  readonly by?: string
}

/** A CA and what it has signed, made by openssl for this test. */
export type MadeCertificates = Disposable & {
  readonly ca: string
  /** Makes the key and the certificate of this name. */
  make(name: string, how?: How): Made
}

const forLocalhost = 'subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE'

export function makeChain(): MadeCertificates {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'))
  const file = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = (algorithm: string, name: string) => ['-newkey', algorithm, '-nodes', '-keyout', `${name}.key`]
  openssl('req', '-x509', ...key('rsa:2048', 'ca'), '-out', 'ca.pem', '-subj', '/CN=test CA', '-days', '2')
  return {
    ca: readFileSync(file('ca.pem'), 'utf8'),
    make(name, { digest = 'sha256', key: algorithm = 'rsa:2048', days = 1, extensions = forLocalhost, by = 'ca' } = {}) {
      openssl('req', '-new', ...key(algorithm, name), '-out', `${name}.csr`, '-subj', '/CN=localhost')
      writeFileSync(file(`${name}.ext`), extensions)
      const from = ['-CA', `${by}.pem`, '-CAkey', `${by}.key`, '-CAcreateserial', '-days', `${days}`, `-${digest}`]
      openssl('x509', '-req', '-in', `${name}.csr`, ...from, '-extfile', `${name}.ext`, '-out', `${name}.pem`)
      return { key: readFileSync(file(`${name}.key`), 'utf8'), cert: readFileSync(file(`${name}.pem`), 'utf8') }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
