import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { endServer } from './scimServer.ts'
import { makeCertificates } from './slapd.ts'

/** A real OpenID provider (oidc-provider) on loopback with https, stopped at the end of its scope. */
export type OidcProvider = AsyncDisposable & {
  readonly issuer: URL
  /** The CA of the provider (PEM), and the file that holds it. It trusts client certificates of the same CA. */
  readonly ca: string
  readonly caFile: string
}

const program = join(import.meta.dirname, 'oidc')

/** @param clients the metadata of the clients, as RFC 7591 names it */
export async function startOidcProvider(clients: readonly object[]): Promise<OidcProvider> {
  if (!existsSync(join(program, 'node_modules')))
    throw new Error(`oidc-provider is not in ${program}/node_modules: install it with .ci/install-oidc`)
  const folder = mkdtempSync(join(tmpdir(), 'oidc-'))
  makeCertificates(folder)
  const grants = { grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }
  writeFileSync(join(folder, 'clients.json'), JSON.stringify(clients.map((client) => ({ ...grants, ...client }))))
  const child = spawn(process.execPath, [join(program, 'server.ts'), folder], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)))
  const stop = async () => {
    await endServer(child, 'SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
  const failed = once(child, 'close').then(([code]) => Promise.reject(new Error(`oidc-provider ended with ${code}:\n${said}`)))
  failed.catch(() => undefined)
  try {
    const [port] = (await Promise.race([once(createInterface(child.stdout), 'line'), failed])) as [string]
    const caFile = join(folder, 'ca.pem')
    return { issuer: new URL(`https://localhost:${port}`), ca: readFileSync(caFile, 'utf8'), caFile, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}
