import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { terminalSvg } from '../../scripts/picture/terminalSvg.ts'
import { sandboxOptions } from '../../src/sandbox/options.ts'
import { startSandbox } from '../../src/sandbox/server.ts'

const root = join(import.meta.dirname, '../..')
const title = 'A plan: one change waits for approval, three will be applied, one is held, one is undeclared'

/** With `-u` it takes the picture anew. */
test('docs/images/plan.svg shows what plan says of config/demo', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plan-picture-'))
  try {
    await cp(join(root, 'config/demo'), folder, { recursive: true })
    const name = join(root, 'config/demo/service.yaml')
    await using sandbox = await startSandbox(sandboxOptions({ state: { name, text: await readFile(name, 'utf8') } }))
    const { NO_COLOR: _none, ...here } = process.env
    const said = await promisify(execFile)(join(root, 'bin/plane-group-sync'), ['plan'], {
      env: {
        ...here,
        FORCE_COLOR: '1',
        PLANE_BASE_URL: sandbox.url,
        PLANE_API_KEY: 'demo-key',
        PLANE_GROUP_SYNC_CONFIG: join(folder, 'config.yaml'),
      },
    }).catch((error: { stdout: string }) => error)
    await expect(terminalSvg(`$ plane-group-sync plan\n${timeless(said.stdout)}`, title)).toMatchFileSnapshot(
      join(root, 'docs/images/plan.svg'),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('the pages that show the picture say the same of it', async () => {
  for (const page of ['README.md', 'docs/index.md']) expect(await readFile(join(root, page), 'utf8')).toContain(`![${title}](`)
})

/** The parts that depend on the port of the sandbox, or on the clock, as one run had them. */
const timeless = (text: string): string =>
  text
    .replaceAll(/127\.0\.0\.1:\d+/g, 'plane.example.com')
    .replaceAll(new RegExp(String.raw`plan ((?:\u001b\[\d+m)*)[0-9a-f]{8}`, 'g'), 'plan $11c733116')
    .replaceAll(/\b[0-9a-f]{32}\b/g, '2e6e3a15d68fd23db9b06e6eb306ed68')
    .replaceAll(/\d+ s ago/g, '0 s ago')
