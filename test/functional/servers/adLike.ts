import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { toolsFolder } from '../../toolsFolder.ts'

/** A directory in memory on loopback with Active Directory's rules for long lists: see `adLike/AdLike.java`. */
export type AdLike = AsyncDisposable & { readonly ldap: string }

const jar = join(toolsFolder, 'unboundid-ldapsdk-7.0.5.jar')
const program = join(import.meta.dirname, 'adLike', 'AdLike.java')

export const adSuffix = 'dc=example,dc=org'
export const adReader = { dn: `cn=reader,${adSuffix}`, password: 'reader "pä$$" word' } as const

/** The entries are those of an LDIF. */
export async function startAdLike(ldif: string): Promise<AdLike> {
  if (!existsSync(jar)) throw new Error(`the LDAP SDK of UnboundID is not in ${jar}: install it with .ci/install-unboundid`)
  const folder = mkdtempSync(join(tmpdir(), 'ad-like-'))
  const file = join(folder, 'set.ldif')
  writeFileSync(file, ldif)
  const args = ['-Xmx256m', '-cp', jar, program, adSuffix, adReader.dn, adReader.password, file]
  const child = spawn('java', args, { stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)))
  const dispose = async () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      // It ends with its standard input, also if this process is killed.
      child.stdin.end()
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(late)
    }
    rmSync(folder, { recursive: true, force: true })
  }
  const failed = once(child, 'close').then(([code]) =>
    Promise.reject(new Error(`AdLike.java ended with ${code}. Java 17 with its compiler is needed:\n${said}`)),
  )
  failed.catch(() => undefined)
  try {
    const [port] = (await Promise.race([once(createInterface(child.stdout), 'line'), failed])) as [string]
    return { ldap: `ldap://127.0.0.1:${port}`, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}
