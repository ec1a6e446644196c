import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startSandbox } from '../../src/sandbox/server.ts'
import { manifests, render } from '../chart/helm.ts'
import { freePort } from '../functional/freePorts.ts'
import { layOut } from './pod.ts'
import { build, image, run, runImage, start } from './podman.ts'

const folder = await mkdtemp(join(tmpdir(), 'image-'))
const sandbox = await startSandbox()
const pod = await layOut(
  manifests(await render('--values', 'test/image/values.yaml', '--set', `settings.service.baseUrl=${sandbox.url}`)),
  { 'plane-group-sync': { 'api-key': 'sandbox-key\n' } },
  folder,
)

beforeAll(() => build())
afterAll(() => Promise.all([sandbox.close(), rm(folder, { recursive: true })]))

it('holds the program and what it needs to run, and names its user by number', async () => {
  const [{ Config: config }] = JSON.parse(await run('podman', ['image', 'inspect', image]))
  expect(config).toMatchObject({
    User: '65532:65532',
    Entrypoint: ['node', '--max-semi-space-size=4', '/app/bin/plane-group-sync'],
    Cmd: ['run'],
  })
  expect((await runImage(['--entrypoint=ls'], ['-A', '/app'])).trim().split('\n')).toEqual([
    'LICENSE',
    'README.md',
    'bin',
    'dist',
    'package.json',
  ])
  const files = (await runImage(['--entrypoint=find'], ['/app', '-type', 'f'])).trim().split('\n')
  expect(files).toEqual(expect.arrayContaining(['/app/dist/main.js', '/app/dist/worker.js', '/app/dist/THIRD-PARTY.txt']))
  expect(files.length).toBeLessThanOrEqual(75)
})

it('is equal to the byte if it is built again at the same time', async () => {
  const again = 'localhost/plane-group-sync:again'
  await build(again)
  const digests = await Promise.all([image, again].map((name) => run('podman', ['image', 'inspect', '--format', '{{.Digest}}', name])))
  await run('podman', ['rmi', again])
  expect(digests[0]).toMatch(/^sha256:/)
  expect(digests[1]).toBe(digests[0])
})

it('says its version', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  expect(await runImage(pod.options, ['--version'])).toContain(version)
})

it('finds the files of the pod valid', async () => {
  expect(await runImage(pod.options, ['validate'])).toContain('valid: 1 mapping for 1 workspace in 1 file')
})

it('runs as the chart says: a first cycle, ready, and SIGTERM ends it', async () => {
  // The container shares the network of this machine, so the chart's port may be in use.
  const port = await freePort()
  const config = pod.path('settings', 'config.yaml')
  await writeFile(config, (await readFile(config, 'utf8')).replace('0.0.0.0:9464', `127.0.0.1:${port}`))

  await using container = start(`plane-group-sync-test-${process.pid}`, pod.options, pod.args)
  const answer = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`)
  try {
    const { projectMappings } = sandbox.state.workspaces['acme'] as { projectMappings: unknown[] }
    await vi.waitFor(
      () => expect(projectMappings).toMatchObject([{ idp_group_name: 'engineering', project: 'ENG', role: 'member' }]),
      patient,
    )
    await vi.waitFor(async () => expect((await answer('/readyz')).status).toBe(200), patient)
    process.stdout.write(`/readyz answers: ${await (await answer('/readyz')).text()}\n`)
    expect((await answer('/healthz')).status).toBe(200)
    expect(await (await answer('/metrics')).text()).toContain('plane_group_sync_')

    const stoppedMs = Date.now()
    expect(await container.stop('SIGTERM')).toBe(0)
    expect(Date.now() - stoppedMs).toBeLessThan(10_000)
  } finally {
    process.stdout.write(container.log())
  }
  expect(container.log()).not.toContain('sandbox-key')
})

const patient = { timeout: 30_000, interval: 200 }
