import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { peakIn, writesStatus } from './peak.ts'
import { folderWith, fromSource } from './program.ts'

/** An LDAP server as the settings of a run name it. */
export type Asked = {
  readonly ldap: string
  readonly reader: { readonly dn: string; readonly password: string }
  readonly base: string
  readonly filter: string
}

export const pageSize = 1_000

/** A folder with settings for the command `groups`, and with the files that they name. */
export const settingsFolder = ({ ldap, reader, base, filter }: Asked) =>
  folderWith({
    password: reader.password,
    key: 'sandbox-key\n',
    'config.yaml': JSON.stringify({
      version: 1,
      service: { baseUrl: 'http://127.0.0.1:9', credential: { apiKey: { file: 'key' } } },
      workspaces: { acme: {} },
      declaration: 'groups.yaml',
      directories: {
        corp: {
          kind: 'ldap',
          addresses: [ldap],
          bind: { dn: reader.dn, password: { file: 'password' } },
          groups: { base, filter, member: 'member' },
          pageSize,
        },
      },
    }),
  })

/** One run of `groups` from start to exit. Its output is thrown away, or kept where `keep` asks for it. */
export async function runGroups(
  args: readonly string[],
  cwd: string,
  program = fromSource,
  keep = false,
): Promise<{ readonly tookMs: number; readonly rssMiB: number; readonly output: string }> {
  const all = [...writesStatus, program, 'groups', '--config', 'config.yaml', '--quiet', ...args]
  const child = spawn(process.execPath, all, { cwd, stdio: ['ignore', keep ? 'pipe' : 'ignore', 'inherit', 'pipe'] })
  const output = child.stdout === null ? '' : text(child.stdout)
  const [status, tookMs] = await Promise.all([text(child.stdio[3] as Readable), untilExit(child)])
  return { tookMs, rssMiB: peakIn(status), output: await output }
}

/** From now to the end of the process, in ms. */
async function untilExit(child: ChildProcess): Promise<number> {
  const begun = performance.now()
  const [code] = (await once(child, 'exit')) as [number | null]
  const tookMs = performance.now() - begun
  if (code !== 0) throw new Error(`${child.spawnargs.slice(0, 4).join(' ')} … ended with ${code}`)
  return tookMs
}
