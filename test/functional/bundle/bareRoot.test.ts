import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, readFileSync } from 'node:fs'
import { chmod, chown, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { writePackage } from '../../../scripts/bundle/package.ts'
import { startSandbox } from '../../../src/sandbox/server.ts'
import { freePort } from '../freePorts.ts'
import { temporaryFolder } from './layOut.ts'

/** The program starts as in the image, on a root that has Node and nothing else: no shell, no user, no /tmp, no /proc. */

const user = 65_532
const patient = { timeout: 60_000, interval: 100 }
const [, entry = ''] = /^ENTRYPOINT \[(.+)\]$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? []
const command = entry.split(', ').map((word) => JSON.parse(word) as string)

const root = await temporaryFolder()
// The folder is made for its owner only, and the program has an account of its own.
await chmod(root, 0o755)
const libraries = [...execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path)
for (const [from, to] of [[process.execPath, '/usr/local/bin/node'], ...libraries.map((path) => [path, path])] as [string, string][]) {
  await mkdir(join(root, dirname(to)), { recursive: true })
  await copyFile(from, join(root, to), constants.COPYFILE_FICLONE)
}
await writePackage(join(root, 'app'))
const sandbox = await startSandbox()
afterAll(() => sandbox.close())
const port = await freePort()
const settings = {
  version: 1,
  service: { baseUrl: sandbox.url, unknownOutcomeWait: '1s' },
  workspaces: { acme: {} },
  declaration: '/groups.yaml',
  journal: { folder: '/state' },
  schedule: { cron: '* * * * *', timezone: 'Europe/Berlin', jitter: '0s' },
  http: { listen: `127.0.0.1:${port}` },
}
await writeFile(join(root, 'config.yaml'), JSON.stringify(settings))
await writeFile(
  join(root, 'groups.yaml'),
  'version: 1\nworkspaces: { acme: { projectRoles: [{ group: staff, project: ENG, role: member }] } }\n',
)
await mkdir(join(root, 'state'))
await chown(join(root, 'state'), user, user)

const inside = (...args: readonly string[]) => ['chroot', [`--userspec=${user}:${user}`, root, ...command, ...args]] as const
const env = { PATH: `/usr/local/bin:${process.env['PATH']}`, PLANE_GROUP_SYNC_CONFIG: '/config.yaml', PLANE_API_KEY: 'sandbox-key' }
const said = async (...args: readonly string[]): Promise<string> => (await promisify(execFile)(...inside(...args), { env })).stdout

// Only root may change the root of a process.
describe.runIf(process.getuid?.() === 0)('a root with Node and nothing else', () => {
  test('has no program but Node', async () => {
    expect(command[0]).toBe('node')
    const files = await readdir(root, { recursive: true })
    expect(files.filter((path) => /(?:^|\/)s?bin\/./.test(path)).toSorted()).toEqual([
      'app/bin/package.json',
      'app/bin/plane-group-sync',
      'app/bin/sourceLines.js',
      'usr/local/bin/node',
    ])
  })

  test('is enough for validate and plan', async () => {
    expect(await said('validate')).toContain('valid: 1 mapping for 1 workspace in 1 file')
    expect(await said('plan')).toContain('staff → member')
  })

  test('is enough for the daemon: it writes, is ready, and ends by SIGTERM', async () => {
    const daemon = spawn(...inside('run'), { env, stdio: ['ignore', 'ignore', 'pipe'] })
    const ended = once(daemon, 'close')
    let log = ''
    daemon.stderr.setEncoding('utf8').on('data', (text: string) => void (log += text))
    try {
      const status = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status
      await vi.waitFor(async () => expect(await status(), log).toBe(200), patient)
      const { projectMappings } = sandbox.state.workspaces['acme'] as { projectMappings: unknown[] }
      await vi.waitFor(() => expect(projectMappings, log).toMatchObject([{ idp_group_name: 'staff', role: 'member' }]), patient)
    } finally {
      daemon.kill('SIGTERM')
    }
    expect(await ended, log).toEqual([0, null])
  })
})
