import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { give, usualFiles } from '../bad-input-world.ts'
import { openPlace, stateOf } from './program.ts'

const settings = usualFiles['config.yaml'] as string

describe.concurrent('the settings file', () => {
  test.each(['config/config.yaml', 'plane-group-sync.yaml', 'config.yaml'])('is found at %s', async (place) => {
    const text = settings.replace('groups.yaml', place.includes('/') ? '../groups.yaml' : 'groups.yaml')
    const { exit, out, err } = await give({ files: { 'config.yaml': null, [place]: text }, args: ['validate'], isUnnamed: true })
    expect([exit, out + err]).toEqual([0, expect.stringContaining(place)])
  })

  test('is the first of several, and the others are named', async () => {
    const { exit, out, err } = await give({ files: { 'plane-group-sync.yaml': settings }, args: ['validate'], isUnnamed: true })
    expect(exit).toBe(0)
    expect(out).toContain('plane-group-sync.yaml')
    expect(err).toBe('The settings are ./plane-group-sync.yaml; ./config.yaml is not used. --config names another file.\n')
    expect((await give({ files: { 'plane-group-sync.yaml': settings }, args: ['validate', '-q'], isUnnamed: true })).err).toBe('')
  })
})

/** Runs a line of bash beside the usual files, with `plane-group-sync` as the program, and the settings given. */
const inBash = async (line: string, env: Readonly<Record<string, string>> = {}) => {
  await using place = await openPlace({ declaration, groups: ['devs'] })
  const wrap = (command: readonly string[]) => ['bash', '-c', line.replaceAll('plane-group-sync', command[0] ?? '')]
  const ended = await place.run([], { wrap, env })
  return { ...ended, state: stateOf(place.sandbox), files: await readdir(place.folder) }
}

const declaration = { version: 1, workspaces: { acme: { projectRoles: [{ group: 'devs', project: 'ENG', role: 'member' }] } } }

describe.concurrent('- is a stream', () => {
  test('a plan goes through a pipe', async () => {
    const { code, state, files } = await inBash('plane-group-sync plan -q --out - | plane-group-sync apply - --yes --no-wait')
    expect([code, state]).toEqual([0, ['ENG devs → member']])
    expect(files).not.toContain('-')
  })

  test('settings and the state of a sandbox are read from standard input', async () => {
    const validated = await inBash('plane-group-sync validate --config - < config.yaml')
    expect([validated.code, validated.out]).toEqual([0, expect.stringContaining('standard input')])
    const wrong = await inBash('echo "version: 9" | plane-group-sync validate -c -')
    expect([wrong.code, wrong.err]).toEqual([78, expect.stringContaining('standard input:1:')])
    const state = await inBash('echo "{" | plane-group-sync sandbox --port 0 --state -')
    expect([state.code, state.err]).toEqual([64, expect.stringContaining('standard input')])
  })

  test('the daemon refuses settings that it cannot read again, and one input cannot be two files', async () => {
    const daemon = await inBash('plane-group-sync run --config - < config.yaml')
    expect([daemon.code, daemon.err]).toEqual([64, expect.stringContaining('name a file with --config, or add --once')])
    const twice = await inBash('plane-group-sync plan -q --out - | plane-group-sync apply - --yes --config -')
    expect([twice.code, twice.err]).toEqual([64, expect.stringContaining('standard input can be read only once')])
  })
})

test.each([',', ' ,'])('--fail-on "%s" names nothing, so it would never fail', async (list) => {
  const { exit, err } = await give({ args: ['plan', '--fail-on', list] })
  expect([exit, err]).toEqual([
    64,
    expect.stringContaining('--fail-on takes changes, held, undeclared, undeclared-protected, approval, findings, dangling'),
  ])
})

test.each(['', '  ', '\u200b', '\u2028\u00ad'])('approve takes no reason that a file could not have: %j', async (reason) => {
  const { exit, err } = await give({ args: ['approve', 'a'.repeat(32), '--for', '1h', `--reason=${reason}`] })
  expect(exit).toBe(64)
  expect(err).toMatch(/approve needs a reason|--reason is empty/)
})

test('approve --withdraw takes a name of the form that status shows', async () => {
  const { exit, err } = await give({ args: ['approve', '--withdraw', 'INC-99'] })
  expect([exit, err]).toEqual([
    64,
    expect.stringContaining('--withdraw takes the name of an approval, which status shows: 32 digits (0-9, a-f), not "INC-99"'),
  ])
})

describe.concurrent('colours', () => {
  test.each([
    ['FORCE_COLOR=1', true],
    ['CLICOLOR_FORCE=1', true],
    ['NO_COLOR=1', false],
    ['TERM=xterm', false],
  ])('%s: %s in a pipe', async (variable, isColoured) => {
    const { out } = await inBash(`${variable} plane-group-sync plan | cat`)
    expect(out.includes('\u001b[')).toBe(isColoured)
    expect(out).toContain('devs')
    expect(out).not.toContain('\\u001b')
  })
})

describe.concurrent('habits from other programs', () => {
  test('files that have another purpose are recognised', async () => {
    const settingsOnly = await inBash('plane-group-sync validate -c groups.yaml')
    expect([settingsOnly.code, settingsOnly.err]).toEqual([
      78,
      expect.stringMatching(
        /^groups\.yaml:\d+:\d+: this file is a declaration, not settings\n.*\n.*\n +name the settings with --config; .*\n$/,
      ),
    ])
    const applied = await inBash('plane-group-sync apply groups.yaml --yes')
    expect([applied.code, applied.state]).toEqual([64, []])
    expect(applied.err).toMatch(
      /^groups\.yaml is not a saved plan: .*\n {2}apply takes a plan that plan --out has saved; without a file it makes/,
    )
  })

  test('a list of workspaces is written as several options, and a plan that cannot be saved has a cure', async () => {
    await using place = await openPlace({ declaration, groups: ['devs'], settings: { workspaces: { labs: {} } } })
    const list = await place.run(['plan', '--workspace', 'acme,labs'])
    const cure = 'write --workspace once for each: --workspace acme --workspace labs'
    expect([list.code, list.err]).toEqual([64, `the settings name no workspace "acme,labs"\n  ${cure}\n`])
    const unsaved = await place.run(['plan', '--out', 'missing/plan.json', '--log-format', 'pretty', '--workspace', 'acme'])
    expect([unsaved.code, unsaved.err]).toEqual([
      1,
      expect.stringMatching(/no such folder\n {2}correct this, or name another file with --out; --out - writes to standard output\n$/),
    ])
  })
})

test('--max-length bounds the Markdown of a plan, and is refused where it has no effect', async () => {
  const rules = Array.from({ length: 600 }, (_, n) => ({ group: `group-${n}`, project: 'ENG', role: 'member' }))
  const groups = rules.map(({ group }) => group)
  const limits = { creates: { count: 1_000 }, run: { creates: 1_000 }, day: { creates: 1_000 } }
  const wide = { version: 1, workspaces: { acme: { projectRoles: rules } } }
  await using place = await openPlace({ declaration: wide, groups, settings: { guards: limits } })
  const [least, most] = await Promise.all(
    ['30000', '1000000'].map((length) => place.run(['plan', '-o', 'markdown', '--max-length', length])),
  )
  const rowsIn = (out = '') => out.match(/^\| \+ \|/gm)?.length ?? 0
  expect([rowsIn(most?.out), most?.out.includes('rows for several groups')]).toEqual([600, false])
  expect(least?.out.length).toBeLessThanOrEqual(30_000)
  expect(least?.out).toMatch(/^\d+ in rows for several groups \(`--format text --all` shows each\)$/m)
  const wrong = async (...args: readonly string[]) => {
    const { exit, err } = await give({ args: ['plan', '--max-length', ...args] })
    return [exit, err.split('\n')[0]]
  }
  expect(await wrong('60000')).toEqual([64, '--max-length is for --format markdown: no other format is cut'])
  expect(await wrong('1e5', '-o', 'markdown')).toEqual([64, '--max-length takes a number of characters, 30000 or more, not "1e5"'])
})
