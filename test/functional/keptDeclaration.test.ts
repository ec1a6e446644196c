import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keptDeclarationsOf } from '../../src/commands/lastDeclaration.ts'
import type { Declared } from '../../src/cycle/workspaceContext.ts'
import { hashOf } from '../../src/declaration/files.ts'
import { realDisk } from '../../src/journal/disk.ts'
import { lastDeclarationFile, readKeptFiles } from '../../src/journal/keptFiles.ts'
import { declaredFromKept, openDeclared } from '../../src/settings/declared.ts'
import { type LoadedSettings, loadSettings } from '../../src/settings/load.ts'

const { signal } = new AbortController()
const nowhere = () => false
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kept-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function settings(more = ''): Promise<LoadedSettings> {
  const file = join(folder, 'config.yaml')
  const service = '{ baseUrl: "http://127.0.0.1:9", credential: { apiKey: { env: KEY } } }'
  await writeFile(
    file,
    `version: 1\nservice: ${service}\nworkspaces: { acme: {} }\ndeclaration: groups.yaml\njournal: { folder: . }\n${more}`,
  )
  const loaded = await loadSettings(file, {})
  if (!loaded.valid) throw new Error(loaded.text)
  return loaded
}

const declares = (group: string) =>
  Buffer.from(`version: 1\nworkspaces: { acme: { workspaceRoles: [{ group: ${group}, role: member }] } }\n`)
const filesOf = (...all: readonly Buffer[]) => {
  const files = all.map((bytes, n) => ({ file: `${n}.yaml`, bytes }))
  return { files, hash: hashOf(files) }
}
const comment = (length: number) => Buffer.concat([declares('devs'), Buffer.from(`#${'x'.repeat(length)}`)])

describe('kept files', () => {
  test('are read with the settings of today', async () => {
    const unknownGroups = async (more: string) => {
      const declared = await declaredFromKept(await settings(more), filesOf(declares('devs')), 0, signal)
      if (typeof declared === 'string') throw new Error(declared)
      return [...declared.workspaces.values()].flatMap(({ rules }) => rules.map((rule) => rule.unknownGroups))
    }
    expect(await unknownGroups('unknownGroups: hold\n')).toEqual(['hold'])
    expect(await unknownGroups('unknownGroups: send\n')).toEqual(['send'])
  })

  const large = comment(1024 * 1024 - 100)
  test.each([
    ['with another hash', { ...filesOf(declares('devs')), hash: 'f'.repeat(64) }, 'damaged'],
    ['with a mistake', filesOf(declares('devs'), Buffer.from('version: 2\n')), 'the first at 1.yaml:1:'],
    ['about a workspace that the settings do not have', filesOf(Buffer.from('version: 1\nworkspaces: { other: {} }\n')), '"other"'],
    [
      'that contradict each other',
      filesOf(declares('devs'), Buffer.from(String(declares('devs')).replace('member', 'guest'))),
      '1 problem, the first at 1.yaml:2:40',
    ],
    ['of which there are too many', filesOf(...Array<Buffer>(2_001).fill(Buffer.from('version: 1\n'))), 'more than 2000 files'],
    ['of which one is too large', filesOf(comment(1024 * 1024)), 'has more than 1048576 bytes'],
    ['that are too large together', filesOf(...Array<Buffer>(17).fill(large)), 'together have more than 16777216 bytes'],
  ])('%s are refused', async (_what, files, sentence) => {
    expect(await declaredFromKept(await settings(), files, 0, signal)).toEqual(expect.stringContaining(sentence))
  })
})

describe('what is kept', () => {
  const minuteMs = 60_000
  const real = realDisk({ pid: 1, isAlive: () => false })

  async function opened() {
    const state = { nowMs: 1_000 * minuteMs, setMs: 0, isOurs: true, isFull: false, said: [] as string[] }
    const disk = {
      ...real,
      open: (...args: Parameters<typeof real.open>) => (state.isFull ? Promise.reject(new Error('no space')) : real.open(...args)),
    }
    const kept = keptDeclarationsOf(await settings(), {
      disk,
      isOurs: () => state.isOurs,
      clock: { now: () => state.nowMs, wall: () => state.nowMs + state.setMs },
      log: {
        info: (_fields, message) => void state.said.push(message),
        warn: (_fields, message) => void state.said.push(message),
      },
      scrub: (text) => text,
    })
    if (kept === undefined) throw new Error('there is no place')
    const content = async () => {
      const last = await readKeptFiles(lastDeclarationFile(folder), signal)
      return typeof last === 'object' ? [last.lastValidMs / minuteMs, last.hash] : last
    }
    return { state, kept, content }
  }
  const [a, b] = [filesOf(declares('a')), filesOf(declares('b'))]

  test('is written again when it changes, and each hour, also if the clock of the machine is set', async () => {
    const { state, kept, content } = await opened()
    await kept.kept.keep(a, nowhere)
    expect(await content()).toEqual([1_000, a.hash])
    state.nowMs = 1_059 * minuteMs
    await kept.kept.keep(a, nowhere)
    expect(await content()).toEqual([1_000, a.hash])
    state.nowMs = 1_060 * minuteMs
    await kept.kept.keep(a, nowhere)
    expect(await content()).toEqual([1_060, a.hash])
    await kept.kept.keep(b, nowhere)
    expect(await content()).toEqual([1_060, b.hash])
    state.setMs = 7 * minuteMs
    await kept.kept.keep(b, nowhere)
    expect(await content()).toEqual([1_060, b.hash])
    state.nowMs = 1_120 * minuteMs
    await kept.kept.keep(b, nowhere)
    expect(await content()).toEqual([1_127, b.hash])
    expect(state.said).toEqual([])
  })

  test('has a date, which the next process turns into a time of its own steady clock', async () => {
    const { state, kept } = await opened()
    state.setMs = 100 * minuteMs
    await kept.kept.keep(a, nowhere)
    expect((await kept.restore(await settings(), signal))?.lastValid).toEqual({ steadyMs: 1_000 * minuteMs, wallMs: 1_100 * minuteMs })
    const next = await opened()
    next.state.nowMs = 1_110 * minuteMs
    expect((await next.kept.restore(await settings(), signal))?.lastValid).toEqual({ steadyMs: 1_100 * minuteMs, wallMs: 1_100 * minuteMs })
  })

  test('belongs to the process that has the journal', async () => {
    const { state, kept, content } = await opened()
    await kept.kept.keep(a, nowhere)
    state.isOurs = false
    await kept.kept.keep(b, nowhere)
    expect(await content()).toEqual([1_000, a.hash])
  })

  test('is never older than what is in use: a newer one that cannot be written leaves nothing, an older time of the same one stays', async () => {
    const { state, kept, content } = await opened()
    await kept.kept.keep(a, nowhere)
    state.isFull = true
    state.nowMs = 1_100 * minuteMs
    await kept.kept.keep(a, nowhere)
    expect(await content()).toEqual([1_000, a.hash])
    await kept.kept.keep(a, nowhere)
    expect(state.said).toEqual([expect.stringContaining('the file still says that it was last valid at an earlier time')])

    await kept.kept.keep(b, nowhere)
    expect(await content()).toBeUndefined()
    await kept.kept.keep(b, nowhere)
    expect(state.said.slice(1)).toEqual([expect.stringContaining('nothing would be written')])
    expect(await readdir(folder)).toEqual(['config.yaml'])

    state.isFull = false
    await kept.kept.keep(b, nowhere)
    expect(await content()).toEqual([1_100, b.hash])
    expect(state.said.slice(2)).toEqual([expect.stringContaining('the declaration in use is kept here again for a restart')])
    // The log reports the same problem again if it comes back.
    state.isFull = true
    await kept.kept.keep(a, nowhere)
    expect(state.said).toHaveLength(4)
  })

  test('of an earlier process stays if it is the declaration that cannot be written now, and is dropped if it is another', async () => {
    const before = await opened()
    await before.kept.kept.keep(a, nowhere)
    const { state, kept, content } = await opened()
    state.isFull = true
    await kept.kept.keep(a, nowhere)
    expect(await content()).toEqual([1_000, a.hash])
    await kept.kept.keep(b, nowhere)
    expect(await content()).toBeUndefined()
  })
})

describe('a file inside a fence', () => {
  const texts = {
    'teams/pay/a.yaml': '    projectRoles: [ { group: pay-devs, project: PAY, role: guest } ] # plane_api_0123456789abcdef\n',
    'teams/ops/a.yaml': '    projectRoles: [ { group: ops-devs, project: OPS, role: guest } ]\n',
    'platform/a.yaml': '    workspaceRoles: []\n',
  }
  const fence = (name: string) =>
    `{ owner: team-${name}, workspace: acme, projectRoles: { projects: [${name.toUpperCase()}], groups: ["${name}-*"], roles: [guest] } }`
  const fences = `fences: { "teams/pay/**": ${fence('pay')}, "teams/ops/**": ${fence('ops')}, platform/*: everything }\n`
  const write = async (more: Readonly<Record<string, string>> = {}) => {
    for (const [file, text] of Object.entries({ ...texts, ...more })) {
      await mkdir(join(folder, 'groups', dirname(file)), { recursive: true })
      await writeFile(join(folder, 'groups', file), `version: 1\nworkspaces:\n  acme:\n${text}`)
    }
    const file = join(folder, 'config.yaml')
    const service = '{ baseUrl: "http://127.0.0.1:9", credential: { apiKey: { env: KEY } } }'
    await writeFile(
      file,
      `version: 1\nservice: ${service}\nworkspaces: { acme: {} }\ndeclaration: groups\njournal: { folder: . }\n${fences}`,
    )
    const loaded = await loadSettings(file, {})
    if (!loaded.valid) throw new Error(loaded.text)
    return loaded
  }
  async function opened(loaded: LoadedSettings, nowMs = 3_600_000) {
    const said: string[] = []
    const say = (_fields: object, message: string) => void said.push(message)
    const clock = { now: () => nowMs, wall: () => nowMs }
    const disk = realDisk({ pid: 1, isAlive: () => false })
    const kept = keptDeclarationsOf(loaded, { disk, isOurs: () => true, clock, log: { info: say, warn: say }, scrub: (text) => text })
    if (kept === undefined) throw new Error('there is no place')
    const use = openDeclared(loaded, () => 0, kept.kept)
    return { said, use, restore: () => kept.restore(loaded, signal) }
  }
  const groupsOf = (declared: Declared | undefined) =>
    [...(declared?.workspaces.values() ?? [])].flatMap(({ rules, unread }) => [
      ...rules.map(({ groups }) => (groups.kind === 'exact' ? groups.name : '')),
      ...(unread === undefined ? [] : [`unread ${unread}`]),
    ])

  test('that has a secret is the only one that is not kept: while it is invalid, nothing of it is used, and the others go on', async () => {
    const loaded = await write()
    const { said, use } = await opened(loaded)
    expect(groupsOf(await use(signal))).toEqual(['ops-devs', 'pay-devs'])
    expect(said).toEqual([expect.stringMatching(/not all of it is kept for a restart: teams\/pay\/a\.yaml contains a secret/)])
    const last = await readKeptFiles(lastDeclarationFile(folder), signal)
    expect(last).toMatchObject({ files: [{ file: 'platform/a.yaml' }, { file: 'teams/ops/a.yaml' }], withheld: ['teams/pay/a.yaml'] })
    expect(await readFile(join(folder, 'last-valid-declaration'), 'utf8')).not.toContain('plane_api')

    const next = await opened(await write({ 'teams/ops/a.yaml': '    nonsense: 1\n' }))
    expect(groupsOf((await next.restore())?.declared)).toEqual(['ops-devs', 'pay-devs'])
    const after = await opened(await write({ 'teams/pay/a.yaml': '    nonsense: 1\n' }))
    expect(groupsOf((await after.restore())?.declared)).toEqual(['ops-devs', 'unread teams/pay/a.yaml'])
    const whole = await opened(await write({ 'platform/a.yaml': '    nonsense: 1\n' }))
    expect(groupsOf((await whole.restore())?.declared)).toEqual(['ops-devs', 'unread teams/pay/a.yaml'])
  })
  test('that was invalid before all others is not younger when they are, too', async () => {
    const hourMs = 3_600_000
    await (await opened(await write(), hourMs)).use(signal)
    const invalid = '    nonsense: 1\n'
    const one = await opened(await write({ 'teams/ops/a.yaml': invalid }), 40 * hourMs)
    expect((await one.restore())?.lastValid.wallMs).toBe(hourMs)
    const all = await opened(await write({ 'teams/ops/a.yaml': invalid, 'platform/a.yaml': invalid }), 41 * hourMs)
    const restored = await all.restore()
    expect(groupsOf(restored?.declared)).toEqual(['ops-devs', 'unread teams/pay/a.yaml'])
    expect(restored).toMatchObject({ lastValid: { wallMs: hourMs } })
  })
  test('that has a secret is unlike one without limits, with which nothing is kept', async () => {
    const { said, use } = await opened(await write({ 'platform/a.yaml': '    workspaceRoles: [] # plane_api_0123456789abcdef\n' }))
    await use(signal)
    expect(said).toEqual([expect.stringContaining('nothing would be written')])
    expect(await readKeptFiles(lastDeclarationFile(folder), signal)).toBeUndefined()
  })
})
