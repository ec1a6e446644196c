import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commands } from '../../../src/commands/all.ts'
import { sandboxOptions } from '../../../src/sandbox/options.ts'
import { startSandbox } from '../../../src/sandbox/server.ts'
import { layOut, root, temporaryFolder } from './layOut.ts'

/** The program says the same from its bundle as from its source. */

const bundled = await layOut()
const company = join(await temporaryFolder(), 'example-company')
await cp(join(root, 'config/example-company'), company, { recursive: true })

type Said = { readonly code: number; readonly stdout: string; readonly stderr: string }
type Options = { readonly cwd?: string; readonly env?: Readonly<Record<string, string>>; readonly input?: string }

function run(place: string, args: readonly string[], { cwd = company, env = {}, input = '' }: Options = {}): Promise<Said> {
  const { PATH = '', HOME = '' } = process.env
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(place, 'bin/plane-group-sync'), ...args],
      { cwd, env: { PATH, HOME, TZ: 'UTC', ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
    child.stdin?.end(input)
  })
}

/** What both say, but for times. */
async function expectSame(args: readonly string[], options?: Options): Promise<Said> {
  const [ofBundle, ofSource] = [await run(bundled, args, options), await run(root, args, options)]
  expect(withoutTimes(ofBundle)).toEqual(withoutTimes(ofSource))
  return ofBundle
}

const withoutTimes = ({ code, stdout, stderr }: Said) => ({ code, stdout: timeless(stdout), stderr: timeless(stderr) })
const timeless = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/("(?:\w*Ms|ms)": ?)\d+/g, '$1MS')
    .replaceAll(/\b\d+ (?:ms|s ago)/g, 'AGO')
    // The estimate depends on how long ago the plan's own reads were, and its length moves the line break.
    .replaceAll(/( calls,)\s[\w\s]+?\sat\s+(\d+)\s+a\s+minute/g, '$1 ESTIMATE at $2 a minute')

describe('help', () => {
  test.each([
    ['--version'],
    ['--help'],
    ['help'],
    ...Object.keys(commands).flatMap((name) => [
      [name, '--help'],
      ['help', name],
    ]),
  ])('%s %s', async (...args) => {
    expect(await expectSame(args)).toMatchObject({ code: 0, stderr: '' })
  })

  test.each(['bash', 'zsh', 'fish'])('the completion for %s', async (shell) => {
    expect((await expectSame(['completion', shell])).stdout).toContain('plane-group-sync')
  })

  test.each(['declaration', 'settings', 'plan', 'applied', 'groups', 'validate'])('the schema of %s', async (of) => {
    expect(JSON.parse((await expectSame(['schema', of])).stdout)).toHaveProperty('$schema')
  })
})

describe('the example of a company', () => {
  const config = ['--config', 'config.yaml']

  test.each([[[]], [['--format', 'json']]])('validate %j', async (more) => {
    expect(await expectSame(['validate', ...config, ...more])).toMatchObject({ code: 0, stdout: expect.stringContaining('810') as string })
  })

  test.each([[['plan']], [['plan', '--format', 'json']], [['groups']], [['export', '--workspace', 'product']]])(
    '%j',
    async ([verb, ...more]) => {
      const state = { name: 'service.yaml', text: await readFile(join(company, 'service.yaml'), 'utf8') }
      await using sandbox = await startSandbox({ ...sandboxOptions({ state }), limit: { requests: 10_000, windowMs: 1_000 } })
      const env = { PLANE_API_KEY: 'sandbox-key' }
      const settings = await readFile(join(company, 'config.yaml'), 'utf8')
      await writeFile(join(company, 'here.yaml'), settings.replace('http://127.0.0.1:8787', sandbox.url))
      const said = await expectSame([verb as string, '--config', 'here.yaml', ...more], { env })
      // 3: one of the changes needs approval.
      expect(said.code).toBe(verb === 'plan' ? 3 : 0)
      expect(said.stdout).toContain('team-web')
    },
  )
})

test('the demo: validate, plan, apply of the saved plan, and a plan of what waits', async () => {
  const tour = async (place: string) => {
    const folder = await temporaryFolder()
    await cp(join(root, 'config/demo'), folder, { recursive: true })
    const state = { name: 'service.yaml', text: await readFile(join(folder, 'service.yaml'), 'utf8') }
    await using sandbox = await startSandbox(sandboxOptions({ state }))
    const env = { PLANE_BASE_URL: sandbox.url, PLANE_API_KEY: 'demo-key', PLANE_GROUP_SYNC_CONFIG: join(folder, 'config.yaml') }
    const said: Said[] = []
    for (const args of [['validate'], ['plan', '--out', 'plan.json'], ['apply', 'plan.json', '--yes'], ['plan']])
      said.push(await run(place, args, { cwd: folder, env }))
    const here = [folder, new URL(sandbox.url).port]
    return said.map((one) => JSON.parse(here.reduce((text, word) => text.replaceAll(word, 'HERE'), JSON.stringify(withoutTimes(one)))))
  }
  const [ofBundle, ofSource] = [await tour(bundled), await tour(root)]
  // The fingerprint of a plan covers the address of Plane.
  const comparable = (said: unknown) => JSON.stringify(said, undefined, 2).replaceAll(/\b[0-9a-f]{8,64}\b/g, 'ID')
  expect(comparable(ofBundle)).toBe(comparable(ofSource))
  expect(ofBundle.map(({ code }) => code)).toEqual([0, 3, 3, 3])
  expect(ofBundle[2].stdout).toContain('written')
})

describe('mistakes', () => {
  test.each([
    [['plna'], 64],
    [['plan', '--out'], 64],
    [['validate', '--config', 'missing.yaml'], 78],
    [['export', '--config', 'config.yaml', '--workspace', 'nowhere'], 64],
    [['apply', 'missing.json', '--config', 'config.yaml'], 64],
  ])('%j', async (args, code) => {
    const said = await expectSame(args, { env: { PLANE_API_KEY: 'sandbox-key' } })
    expect(said.code).toBe(code)
    expect(said.stderr).not.toBe('')
  })
})

describe('a declaration of more than 64 KiB, which a worker reads', () => {
  const rules = (role: string) =>
    Array.from({ length: 2_500 }, (_, n) => `      - { group: group-${n}, project: ENG, role: ${n === 2_000 ? role : 'member'} }\n`).join(
      '',
    )
  const declare = async (role: string): Promise<string> => {
    const folder = join(company, `large-${role}`)
    await mkdir(folder)
    await writeFile(join(folder, 'groups.yaml'), `version: 1\nworkspaces:\n  acme:\n    projectRoles:\n${rules(role)}`)
    const settings = { version: 1, service: { baseUrl: 'http://127.0.0.1:1' }, workspaces: { acme: {} }, declaration: 'groups.yaml' }
    await writeFile(join(folder, 'config.yaml'), JSON.stringify({ ...settings, journal: { folder: 'state' } }))
    return folder
  }

  test('is valid', async () => {
    const said = await expectSame(['validate', '--config', 'config.yaml'], { cwd: await declare('admin') })
    expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining('2,500 mappings') as string })
  })

  test('has a mistake', async () => {
    const said = await expectSame(['validate', '--config', 'config.yaml'], { cwd: await declare('Member ') })
    expect(said).toMatchObject({ code: 78, stderr: expect.stringContaining('groups.yaml:2005') as string })
  })
})

test('the stack of a defect shows lines of the source', async () => {
  const broken = await temporaryFolder()
  await cp(bundled, broken, { recursive: true })
  const path = join(broken, 'dist/main.js')
  const code = await readFile(path, 'utf8')
  expect(code).toContain('async function main(argv) {\n')
  await writeFile(path, code.replace('async function main(argv) {\n', 'async function main(argv) { null.x\n'))
  const { stderr } = await run(broken, ['--version'])
  const lines = (await readFile(join(root, 'src/main.ts'), 'utf8')).split('\n')
  const line = lines.findIndex((text) => text.startsWith('async function main(')) + 1
  expect(stderr).toMatch(/^TypeError: Cannot read properties of null/)
  expect(stderr).toContain(`/src/main.ts:${line}:`)
  expect(stderr).not.toContain('/dist/')
})

test('a folder that has the source, too, runs the source: an old bundle is never used in a clone', async () => {
  const both = await temporaryFolder()
  await cp(bundled, both, { recursive: true })
  await mkdir(join(both, 'src'))
  await writeFile(join(both, 'src/main.ts'), "process.stdout.write('the source' satisfies string)\n")
  expect(await run(both, ['--version'])).toMatchObject({ code: 0, stdout: 'the source' })
})
