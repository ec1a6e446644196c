import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Edit } from '../../../src/core/memory/seen.ts'
import type { LastDocument } from '../../../src/documents/last.ts'
import type { ReportDocument } from '../../../src/documents/report.ts'
import { realDisk } from '../../../src/journal/disk.ts'
import { readPast } from '../../../src/journal/past.ts'
import { sandboxOptions } from '../../../src/sandbox/options.ts'
import { startSandbox } from '../../../src/sandbox/server.ts'
import { follow } from '../process/running.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const bin = join(root, 'bin/plane-group-sync')
export const password = 'a password of the page'

/** The example company with a sandbox and a daemon, after the first cycle of the daemon. */
export type Company = AsyncDisposable & {
  /** The page of the daemon; it needs `password`. */
  readonly url: string
  /** What the daemon left, as `status` reads it. */
  readonly last: LastDocument
  readonly report: ReportDocument
  readonly edits: readonly Edit[]
  /** Two minutes after the cycle, so that the texts of the page are the same in each run. */
  readonly nowMs: number
}

export async function openCompany(): Promise<Company> {
  const folder = await mkdtemp(join(tmpdir(), 'plane-group-sync-'))
  const company = join(folder, 'example-company')
  await cp(join(root, 'config/example-company'), company, { recursive: true })
  const state = { name: 'service.yaml', text: await readFile(join(company, 'service.yaml'), 'utf8') }
  const sandbox = await startSandbox({ ...sandboxOptions({ state }), limit: { requests: 100_000, windowMs: 1_000 } })
  const settings = (await readFile(join(company, 'config.yaml'), 'utf8')).replace(
    '"http://127.0.0.1:8787"',
    `"${sandbox.url}", limit: { requests: 50000 }`,
  )
  await writeFile(join(company, 'config.yaml'), `${settings}http: { listen: "127.0.0.1:0", page: { token: { env: PAGE } } }\n`)
  const { PATH = '', HOME = '' } = process.env
  const start = (...args: readonly string[]) =>
    follow(
      spawn(bin, args, {
        cwd: company,
        env: { PATH, HOME, PLANE_API_KEY: 'sandbox-key', PAGE: password },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    )
  const daemon = start('run')
  const url = String((await daemon.until(() => daemon.log().find(({ event }) => event === 'listening')))['url'])
  await daemon.until(async () => (await fetch(`${url}/readyz`)).status === 200)
  const json = async <T>(...args: readonly string[]) => {
    await using running = start(...args, '--format', 'json')
    return JSON.parse((await running.ended).out) as T
  }
  const { last } = await json<{ readonly last: LastDocument }>('status')
  const report = await json<ReportDocument>('report')
  const past = await readPast(
    join(company, 'state'),
    realDisk({ pid: process.pid, isAlive: () => false }),
    Number.POSITIVE_INFINITY,
    120_000,
    new AbortController().signal,
  )
  return {
    url,
    last,
    report,
    edits: past.memory?.edits ?? [],
    nowMs: Date.parse(last.ended) + 120_000,
    async [Symbol.asyncDispose]() {
      daemon.child.kill('SIGTERM')
      await daemon.ended
      await sandbox.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}
