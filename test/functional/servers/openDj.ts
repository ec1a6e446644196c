import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { toolsFolder } from '../../toolsFolder.ts'
import { freePorts } from '../freePorts.ts'

/** An OpenDJ on loopback with free ports and a folder of its own. Its certificate is for `localhost`, and its own CA. */
export type OpenDj = AsyncDisposable & { readonly ldap: string; readonly ldaps: string; readonly ca: string; readonly caFile: string }

/** The suffix, and the account with all rights, of `.ci/install-opendj`. */
export const suffix = 'dc=example,dc=org'
export const root = { dn: 'cn=Directory Manager', password: 'the-password-of-root' } as const

const installed = join(toolsFolder, 'opendj-5.0.3')
/** What a running server writes to, and the scripts, which find the folder by their own place. */
const ownFolders: ReadonlySet<string> = new Set(['bin', 'changelogDb', 'classes', 'config', 'db', 'import-tmp', 'locks', 'logs', 'tmp'])
const startMs = 120_000

/**
 * Adds the entries of an LDIF to the suffix, which is there.
 *
 * @param indexEntryLimit a search that may match more entries than this has no index; OpenDJ's default is 4,000
 */
export async function startOpenDj(ldif: string, indexEntryLimit = 4_000): Promise<OpenDj> {
  if (!existsSync(join(installed, 'built'))) throw new Error(`OpenDJ is not in ${installed}: install it with .ci/install-opendj`)
  const folder = mkdtempSync(join(tmpdir(), 'opendj-'))
  const file = (...names: readonly string[]) => join(folder, ...names)
  for (const name of readdirSync(installed))
    if (ownFolders.has(name)) cpSync(join(installed, name), file(name), { recursive: true })
    else symlinkSync(join(installed, name), file(name))
  const ports = await freePorts(3)
  const configuration = file('config', 'config.ldif')
  const placeholders = ['11389', '11636', '11444']
  const withPorts = placeholders.reduce(
    (text, placeholder, at) => text.replace(`ds-cfg-listen-port: ${placeholder}\n`, `ds-cfg-listen-port: ${ports[at]}\n`),
    readFileSync(configuration, 'utf8'),
  )
  const backend = 'ds-cfg-backend-id: userRoot\n'
  writeFileSync(configuration, withPorts.replace(backend, `${backend}ds-cfg-index-entry-limit: ${indexEntryLimit}\n`))

  const env = { ...process.env, OPENDJ_JAVA_ARGS: '-Xmx256m -XX:TieredStopAtLevel=1' }
  const child = spawn(file('bin', 'start-ds'), ['--nodetach'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)))
  const onExit = () => child.kill('SIGKILL')
  process.once('exit', onExit)
  const dispose = async () => {
    process.off('exit', onExit)
    await end(child)
    rmSync(folder, { recursive: true, force: true })
  }
  const [ldap, ldaps] = [`ldap://127.0.0.1:${ports[0]}`, `ldaps://127.0.0.1:${ports[1]}`]
  try {
    await ready(child, ldap)
    writeFileSync(file('set.ldif'), ldif)
    await promisify(execFile)('ldapadd', ['-x', '-H', ldap, '-D', root.dn, '-w', root.password, '-f', file('set.ldif')])
  } catch (error) {
    await dispose()
    throw new Error(`OpenDJ did not start:\n${said}`, { cause: error })
  }
  const caFile = join(installed, 'server.pem')
  return { ldap, ldaps, ca: readFileSync(caFile, 'utf8'), caFile, [Symbol.asyncDispose]: dispose }
}

async function ready(child: ChildProcess, ldap: string): Promise<void> {
  for (const untilMs = Date.now() + startMs; Date.now() < untilMs; await sleep(100)) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended with ${child.exitCode ?? child.signalCode}`)
    const asked = promisify(execFile)('ldapsearch', ['-LLL', '-x', '-H', ldap, '-b', '', '-s', 'base', '1.1'])
    if (
      await asked.then(
        () => true,
        () => false,
      )
    )
      return
  }
  throw new Error(`it was not ready after ${startMs / 1000} s`)
}

/** Its shutdown takes five seconds, and nothing of the folder is kept. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
