import { describe, expect, test } from 'vitest'
import { openPlace, type Place, stateOf, writesTo } from './program.ts'

/** Without the lines of the log: those of changes. */
const spoken = (err: string): string => err.replaceAll(/^\{.*\n/gm, '')

const groups = Array.from({ length: 4 }, (_, n) => `team-${n}`)
const rules = { projectRoles: [{ groups, project: 'ENG', role: 'member' }] }
const declared = (acme: object) => ({ version: 1, workspaces: { acme } })
const declaration = declared(rules)
const whole = groups.map((group) => `ENG ${group} → member`)

type Document = {
  readonly format: string
  readonly workspaces: readonly {
    readonly standing: string
    readonly changes: readonly unknown[]
    readonly applied?: { readonly results: readonly { readonly change: string; readonly outcome: { readonly is: string } }[] }
  }[]
}
const documentOf = (text: string) => JSON.parse(text) as Document

test('the first apply to a workspace names group sync if it is off, and the plan before it says nothing of it', async () => {
  await using place = await openPlace({ declaration, groups })
  const settingsRead = () => place.sandbox.requests.some(({ path }) => path.endsWith('/group-sync/config/'))
  const plan = await place.run(['plan'])
  expect(plan.out).not.toContain('Takes ')
  // Reading the settings of a workspace without mappings could create them, so a plan does not.
  expect(settingsRead()).toBe(false)
  const first = await place.run(['apply', '--yes'])
  expect(first.code, first.err).toBe(0)
  expect(stateOf(place.sandbox)).toEqual(whole)
  expect(first.out.replaceAll(/\s+/g, ' ')).toContain('Next: switch on group sync in the settings of this workspace')
  expect((await place.run(['plan'])).out).toContain('group sync off')
})

test('the first apply to a workspace with group sync on has no next step', async () => {
  const on = { acme: { projects: ['ENG', 'OPS'], config: { is_enabled: true } } }
  await using place = await openPlace({ declaration, groups, workspaces: on })
  const { code, out } = await place.run(['apply', '--yes'])
  expect(code, out).toBe(0)
  expect(out).not.toContain('Next:')
})

describe.concurrent('a saved plan', () => {
  const saved = async (place: Place) => {
    expect((await place.run(['plan', '--out', 'plan.json'])).code).toBe(0)
    return place
  }

  test('is applied as it was seen', async () => {
    await using place = await saved(await openPlace({ declaration, groups }))
    const { code, out } = await place.run(['apply', 'plan.json', '--yes'])
    expect(code, out).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(whole)
    const again = await place.run(['plan', '--detailed-exitcode', '--format', 'json'])
    expect([again.code, documentOf(again.out).workspaces[0]?.changes]).toEqual([0, []])
  })

  test('of which a part was refused is stale; the result says so, and an apply without a file writes the rest', async () => {
    await using place = await saved(
      await openPlace({ declaration, groups, sandbox: { faults: ['POST project-mappings: 403, from the 2nd, once'] } }),
    )
    const first = await place.run(['apply', 'plan.json', '--yes'])
    const next = 'The saved plan is stale now, since a part of it is written: save a new plan, or apply without a file.'
    expect([first.code, first.out.replaceAll(/\s+/g, ' ')]).toEqual([1, expect.stringContaining(next)])
    expect(await place.run(['apply', 'plan.json', '--yes'])).toMatchObject({ code: 3, out: expect.stringContaining('Stale') })
    expect((await place.run(['apply', '--yes'])).code).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(whole)
  })

  test('that was applied already says so and ends with 0; a plan of which the journal does not show it is stale', async () => {
    await using place = await saved(await openPlace({ declaration, groups }))
    const apply = async () => {
      const { code, out, err } = await place.run(['apply', 'plan.json', '--yes'])
      return { code, isStale: out.includes('Stale: nothing is written'), isDone: /wrote all changes of the saved plan/.test(err), out }
    }
    expect((await apply()).code).toBe(0)
    const second = await apply()
    expect(second).toMatchObject({ code: 0, isStale: false, isDone: true })
    expect(second.out).not.toContain('already')
    // One change is undone and planned again, so the plan is not done.
    place.sandbox.state.workspaces.acme?.projectMappings.pop()
    expect(await apply()).toMatchObject({ code: 3, isStale: true, isDone: false })
  })

  test.each<[string, (place: Place) => unknown]>([
    ['the service', ({ sandbox }) => sandbox.state.workspaces.acme?.projectMappings.push({ ...row, idp_group_name: 'team-1' })],
    ['the declaration', (place) => place.write('groups.yaml', declared({ projectRoles: [{ groups, project: 'ENG', role: 'guest' }] }))],
    ['the project', ({ sandbox }) => swapIdentifiers(sandbox)],
  ])('of a world in which %s has moved: exit 3, nothing written', async (_, move) => {
    await using place = await saved(await openPlace({ declaration, groups }))
    await move(place)
    const { code, out, err } = await place.run(['apply', 'plan.json', '--yes'])
    expect(code, out).toBe(3)
    expect(out).toContain('Stale: nothing is written')
    expect(`${out}${err}`).not.toMatch(/already|wrote all changes/)
    expect(writesTo(place.sandbox)).toEqual([])
  })

  test('of a group that was made again since: exit 3, nothing written', async () => {
    await using place = await openPlace({ declaration, groups })
    const withIds = (last: string) =>
      place.write('directory.yaml', { groups: groups.map((name, n) => ({ name, id: n === 3 ? last : `id-${n}` })) })
    await withIds('id-3')
    await saved(place)
    await withIds('id-4')
    const { code, out } = await place.run(['apply', 'plan.json', '--yes'])
    expect(code, out).toBe(3)
    expect(out).toContain('Stale: nothing is written')
    expect(writesTo(place.sandbox)).toEqual([])
    await saved(place)
    expect((await place.run(['apply', 'plan.json', '--yes'])).code).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(whole)
  })

  test('for another host or slug than the settings name: says both, and writes nothing', async () => {
    await using place = await saved(await openPlace({ declaration, groups }))
    const { host } = new URL(place.sandbox.url)
    const cure = '  apply it with the settings with which it was saved, or save a new plan: plan --out FILE\n'
    const apply = ['apply', 'plan.json', '--yes']
    const moved = await place.run(apply, { env: { PLANE_BASE_URL: 'http://127.0.0.1:9' } })
    expect([moved.code, moved.err]).toEqual([
      64,
      `plan.json was saved for the service at ${host}, not at 127.0.0.1:9, as the settings name now\n${cure}`,
    ])
    await place.settings({ workspaces: { acme: { slug: 'acme-2' } } })
    const slug = await place.run(apply)
    const about = 'a workspace acme with the slug "acme", not "acme-2"'
    expect([slug.code, slug.err]).toEqual([64, `plan.json was saved for ${about}, as the settings name now\n${cure}`])
    expect(writesTo(place.sandbox)).toEqual([])
    await place.settings({})
    expect((await place.run(apply)).code).toBe(0)
  })

  test('of a workspace that the settings do not name any more, or that --workspace does not fit: usage', async () => {
    await using place = await saved(await openPlace({ declaration, groups }))
    await place.settings({ workspaces: { other: {} } })
    const other = await place.run(['apply', 'plan.json', '--yes', '--workspace', 'other'])
    expect([other.code, other.err]).toEqual([64, 'plan.json has no plan for the workspace "other"\n  it has plans for acme\n'])
    await place.write('config.yaml', (await place.read('config.yaml')).replace('"acme"', '"another"'))
    await place.write('groups.yaml', { version: 1, workspaces: {} })
    const gone = await place.run(['apply', 'plan.json', '--yes'])
    expect([gone.code, gone.out]).toEqual([64, ''])
    expect(gone.err).toContain(
      'plan.json has a plan for the workspace "acme", and the settings name no such workspace\n  they have another, other;',
    )
    expect(writesTo(place.sandbox)).toEqual([])
  })

  test.each([
    ['that is not there', undefined, 'there is no such file'],
    ['of another version', '{"format":"plane-group-sync/plan","version":99,"workspaces":[]}', 'version 99'],
  ])('%s: usage', async (_, content, sentence) => {
    await using place = await openPlace({ declaration, groups })
    if (content !== undefined) await place.write('plan.json', content)
    const { code, err } = await place.run(['apply', 'plan.json', '--yes'])
    expect(err).toContain(sentence)
    expect(code).toBe(64)
    expect(place.sandbox.requests).toEqual([])
  })
})

/** Each of two projects has the identifier that the other one had. */
function swapIdentifiers({ state }: Place['sandbox']): void {
  for (const project of state.workspaces.acme?.projects ?? []) project.identifier = project.identifier === 'ENG' ? 'OPS' : 'ENG'
}

const row = {
  id: '0b0b0b0b-0000-4000-8000-000000000001',
  project: 'ENG',
  all_projects: false,
  role: 'member',
  created_at: 0,
  updated_at: 0,
}

describe.concurrent('waits', () => {
  const unsure = { journal: 'none' as const }
  /** A wait that no test waits for: however slow the machine is, it is not over when the program comes to it. */
  const endless = { service: { unknownOutcomeWait: '12h' } }
  /** A wait that a test waits for. It is longer than a slow machine takes from the start of the program to the wait. */
  const long = { service: { unknownOutcomeWait: '9s' } }

  /** What the program says when it begins to wait. It is then killed. */
  async function waitingText(place: Place, args: readonly string[]): Promise<string> {
    const running = place.start(args)
    running.child.stdin?.end()
    await running.until(() => /^Waiting .*\n/m.test(running.err()))
    running.child.kill('SIGKILL')
    return spoken((await running.ended).err)
  }

  test('before the first create, says how long and why; a document stays one', async () => {
    await using place = await openPlace({ declaration, groups, settings: unsure })
    await place.settings(endless)
    expect(await waitingText(place, ['apply', '--yes', '--format', 'json'])).toMatch(
      /^Waiting 43\d{3} s, until .+ UTC, before 4 more changes: a create of the previous process may still be executed/,
    )
    expect(writesTo(place.sandbox)).toEqual([])
    await place.settings({})
    const { code, out, err, tookMs } = await place.run(['apply', '--yes', '--format', 'json'])
    expect(code, out + err).toBe(0)
    expect(tookMs).toBeGreaterThan(1_000)
    expect(documentOf(out).workspaces[0]?.applied?.results).toHaveLength(4)
    expect(stateOf(place.sandbox)).toEqual(whole)
  })

  test('not with --no-wait, nor where the program made the journal itself', async () => {
    await using place = await openPlace({ declaration, groups, settings: unsure })
    const { code, err } = await place.run(['apply', '--yes', '--no-wait'])
    expect([code, spoken(err)]).toEqual([0, ''])
    await using other = await openPlace({ declaration, groups })
    const first = await other.run(['apply', '--yes'])
    expect([first.code, spoken(first.err)]).toEqual([0, ''])
  })

  test('run --once waits as well: else a job without a journal would never create anything', async () => {
    await using place = await openPlace({ declaration, groups, settings: unsure })
    await place.settings(endless)
    const dry = await place.run(['run', '--once', '--dry-run'])
    expect([dry.code, dry.err.includes('Waiting')]).toEqual([0, false])
    const waiting = place.start(['run', '--once'])
    await waiting.until(() => waiting.log().some(({ msg }) => /^Waiting 43\d{3} s, until .+ UTC, before 4 more/.test(msg)))
    waiting.child.kill('SIGKILL')
    expect(writesTo(place.sandbox)).toEqual([])
    await place.settings({})
    const { code, err } = await place.run(['run', '--once'])
    expect(code, err).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(whole)
  })

  test('and what follows from a create that waited is still what was agreed to', async () => {
    // The delete needs the create that replaces it, and the create waits.
    const workspaces = { acme: { projects: ['ENG'], projectMappings: [{ idp_group_name: 'old', project: 'ENG', role: 'member' }] } }
    const replacing = declared({
      projectRoles: [{ group: 'new', project: 'ENG', role: 'member' }],
      removed: [{ group: 'old', project: 'ENG' }],
    })
    const settings = unsure
    await using place = await openPlace({ workspaces, declaration: replacing, groups: ['old', 'new'], settings })
    await place.run(['plan', '--out', 'plan.json'])
    const { code, out } = await place.run(['apply', 'plan.json', '--yes'])
    expect(code, out).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(['ENG new → member'])
  })

  test('for what became of a write whose answer was lost, and does not write it again', async () => {
    await using place = await openPlace({ declaration, groups, sandbox: { faults: ['POST project-mappings: reset after commit, once'] } })
    const { code, out, err } = await place.run(['apply', '--yes'])
    expect(code, out).toBe(0)
    // The command continues by itself, so its output has no line "Next:".
    expect(out).not.toContain('Next:')
    expect(writesTo(place.sandbox), err).toHaveLength(4)
    expect(stateOf(place.sandbox)).toEqual(whole)
  })

  test('for what became of a write whose answer was lost, and says why', async () => {
    const faults = ['POST project-mappings: reset after commit, once']
    await using place = await openPlace({ declaration, groups, settings: endless, sandbox: { faults } })
    expect(await waitingText(place, ['apply', '--yes'])).toMatch(
      /^Waiting 43\d{3} s, until .+ UTC, before 1 more change: the answer to an earlier write was lost/,
    )
    expect(writesTo(place.sandbox)).toHaveLength(4)
  })

  test('and what is left of a plan that was waived is still waived', async () => {
    // The delete empties the list, and the program writes it at once. The create waits, and needs its own approval.
    const workspaces = { acme: { projects: ['ENG'], projectMappings: [{ idp_group_name: 'old', project: 'ENG', role: 'member' }] } }
    const emptying = declared({
      projectRoles: [{ group: 'new', project: 'ENG', role: 'admin' }],
      removed: [{ group: 'old', project: 'ENG' }],
    })
    await using place = await openPlace({ workspaces, declaration: emptying, groups: ['old', 'new'], settings: { ...unsure, ...long } })
    const { code: waits, out: planned } = await place.run(['plan', '--format', 'json'])
    const { workspaces: plans } = JSON.parse(planned) as { readonly workspaces: readonly { readonly fingerprint: string }[] }
    const pass = plans[0]?.fingerprint.slice(0, 32) ?? ''
    expect(waits, planned).toBe(3)
    const { code, out, err } = await place.run(['apply', '--yes', '--allow', pass])
    expect(spoken(err)).toMatch(/^Waiting \d s, until [\d: -]+ UTC, before 1 more/)
    expect(code, out).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(['ENG new → admin'])
  })

  test('but not for ever on a service that answers no write', async () => {
    await using place = await openPlace({
      declaration,
      groups,
      settings: long,
      sandbox: { faults: ['POST project-mappings: reset before commit'] },
    })
    const { code, out, err } = await place.run(['apply', '--yes'])
    expect(code, out + err).toBe(1)
    expect(err.match(/Waiting/g)).toHaveLength(1)
    expect(out).toContain('unknown')
  })

  test('a change that was refused in the first round is tried again in the second', async () => {
    const faults = ['POST project-mappings: 400, once', 'POST project-mappings: reset after commit, from the 2nd, once']
    await using place = await openPlace({ declaration, groups, settings: long, sandbox: { faults } })
    const { code, out, err } = await place.run(['apply', '--yes'])
    expect(err).toContain('Waiting')
    expect(code, out).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(whole)
  })
})

test.concurrent('a mapping that comes on two pages is one mapping: one change, and no duplicate to delete', async () => {
  const projectMappings = Array.from({ length: 30 }, (_, n) => ({ idp_group_name: `team-${n}`, project: 'ENG', role: 'guest' }))
  const all = projectMappings.map(({ idp_group_name }) => idp_group_name)
  const faults = ['GET project-mappings/: envelope of 10', 'GET project-mappings/: list repeats']
  await using place = await openPlace({
    workspaces: { acme: { projects: ['ENG'], projectMappings } },
    declaration: declared({ projectRoles: [{ groups: all, project: 'ENG', role: 'member' }] }),
    groups: all,
    settings: { guards: { raises: { count: 30, share: '100%' } } },
    sandbox: { faults },
  })
  const { code, out } = await place.run(['apply', '--yes', '--format', 'json'])
  expect(code, out).toBe(1)
  // The list has three pages of ten. The second and third begin with the last row of the page before. The program does not create the missing rows.
  expect(writesTo(place.sandbox).map(({ method }) => method)).toEqual(Array.from({ length: 28 }, () => 'PATCH'))
  expect(new Set(writesTo(place.sandbox).map(({ path }) => path)).size).toBe(28)
  expect(out).not.toContain('duplicate-mapping')
  expect(stateOf(place.sandbox)).toHaveLength(30)
})

describe.concurrent('exit codes', () => {
  const drifted = {
    workspaces: { acme: { projects: ['ENG'], projectMappings: [{ idp_group_name: 'stranger', project: 'ENG', role: 'admin' }] } },
    declaration: declared({
      projectRoles: [
        { group: 'team-0', project: 'ENG', role: 'member' },
        { group: 'nobody', project: 'ENG', role: 'member' },
      ],
    }),
    groups,
  }

  test('plan: 0, or 2 for what one asks to be told', async () => {
    await using place = await openPlace(drifted)
    const codes = async (...args: string[]) => (await place.run(['plan', ...args])).code
    const asked = [
      ['--detailed-exitcode'],
      ['--fail-on', 'held,approval'],
      ['--fail-on', 'dangling,approval'],
      ['--fail-on', 'held', '--fail-on', 'dangling'],
    ]
    const got = []
    for (const args of asked) got.push(await codes(...args))
    expect(got).toEqual([2, 2, 0, 2])
    expect(await codes('--fail-on', 'rain')).toBe(64)
    expect(writesTo(place.sandbox)).toEqual([])
  })

  test('1: the service refuses the key, which is not shown', async () => {
    await using place = await openPlace({ declaration, groups })
    const wrong = await place.run(['plan'], { env: { PLANE_API_KEY: 'a-wrong-key' } })
    expect(wrong.code).toBe(1)
    expect(wrong.out + wrong.err).not.toContain('a-wrong-key')
  })

  test('1: Plane rejected it, and each further apply tries it once more; a plan is none the worse', async () => {
    const one = declared({ projectRoles: [{ group: 'team-0', project: 'ENG', role: 'member' }] })
    await using place = await openPlace({ declaration: one, groups, sandbox: { faults: ['POST project-mappings: 400'] } })
    const codes = [(await place.run(['apply', '--yes'])).code, (await place.run(['run', '--once'])).code]
    expect([...codes, writesTo(place.sandbox).length]).toEqual([1, 1, 2])
    expect([(await place.run(['plan'])).code, (await place.run(['plan', '--fail-on', 'held'])).code]).toEqual([0, 0])
  })

  test('1: Plane failed at it, and fails again at the next command; a plan is none the worse', async () => {
    const one = declared({ projectRoles: [{ group: 'team-0', project: 'ENG', role: 'member' }] })
    await using place = await openPlace({ declaration: one, groups, sandbox: { faults: ['POST project-mappings: 500'] } })
    const codes: (number | null)[] = []
    for (const args of [['apply', '--yes'], ['apply', '--yes'], ['run', '--once'], ['plan'], ['plan', '--fail-on', 'held']])
      codes.push((await place.run(args)).code)
    expect(codes).toEqual([1, 1, 1, 0, 2])
  })

  test('3: above a limit, or waiting for approval; --allow passes exactly that', async () => {
    const admin = declared({
      workspaceRoles: [
        { group: 'team-0', role: 'admin' },
        { group: 'team-1', role: 'member' },
      ],
    })
    await using place = await openPlace({ declaration: admin, groups })
    const planned = await place.run(['plan'])
    const waits = await place.run(['apply', '--yes'])
    expect([planned.code, waits.code], waits.out).toEqual([3, 3])
    expect(stateOf(place.sandbox)).toEqual(['- team-1 → member'])
    const [, id = ''] = /--allow ([0-9a-f]{8,})/.exec(planned.out) ?? []
    const allowed = await place.run(['apply', '--yes', '--allow', id])
    expect(allowed.code, allowed.out).toBe(0)
    expect(stateOf(place.sandbox)).toEqual(['- team-0 → admin', '- team-1 → member'])

    await place.settings({ guards: { creates: { count: 1 } } })
    await place.write('groups.yaml', declaration)
    const above = await place.run(['apply', '--yes'])
    expect(above.code, above.out).toBe(3)
    expect(above.out).toContain('guards.creates.count')
    expect(stateOf(place.sandbox)).toHaveLength(2)
    const [, set = ''] = /to approve exactly these [^:]*: --allow ([0-9a-f]{32})/.exec(flat(above.out)) ?? []
    const approved = await place.run(['apply', '--yes', '--allow', set])
    expect([approved.code, stateOf(place.sandbox).length], approved.out).toEqual([0, 2 + whole.length])
  })

  const flat = (text: string) => text.replaceAll(/\s+/g, ' ')

  test('3: apply --yes shows no plan, so its result says what waits, and how it is allowed', async () => {
    const rules = [
      { group: 'team-0', project: 'ENG', role: 'member' },
      { group: 'team-1', projects: ['ENG', 'OPS'], role: 'admin' },
      { group: 'team-2', project: 'ENG', role: 'admin' },
    ]
    await using place = await openPlace({ declaration: declared({ projectRoles: rules }), groups })
    const waits = await place.run(['apply', '--yes'])
    expect(waits.code, waits.out).toBe(3)
    expect(flat(waits.out)).toContain('3 changes need approval')
    expect(flat(waits.out)).toContain('Next: for each change that needs approval, either add its --allow to the next apply')
    // One row shows two grants, so its approval needs the ID of the plan. The first write changed this ID.
    expect(flat(waits.out)).toContain('run the command plan again, and use --allow with its ID')
    const [, single = ''] = /to approve this change: --allow ([0-9a-f]{32})/.exec(flat(waits.out)) ?? []
    const one = await place.run(['apply', '--yes', '--allow', single])
    expect([one.code, stateOf(place.sandbox)], one.out).toEqual([3, ['ENG team-0 → member', 'ENG team-2 → admin']])
    const [, both = ''] =
      /to approve all 2 protected changes[^:]*: --allow ([0-9a-f]{32})/.exec(flat((await place.run(['plan'])).out)) ?? []
    const all = await place.run(['apply', '--yes', '--allow', both])
    expect([all.code, stateOf(place.sandbox)], all.out).toEqual([
      0,
      ['ENG team-0 → member', 'ENG team-1 → admin', 'ENG team-2 → admin', 'OPS team-1 → admin'],
    ])
  })

  test('1: what is held because of a directory is in the result of apply --yes, with the directory and the next step', async () => {
    const settings = { directories: { idp: { kind: 'file', path: 'nowhere.yaml' } } }
    const rules = [
      { group: 'team-0', from: 'corp', project: 'ENG', role: 'member' },
      { group: 'elsewhere', project: 'ENG', role: 'member' },
    ]
    await using place = await openPlace({ settings, declaration: declared({ projectRoles: rules }), groups })
    const { code, out } = await place.run(['apply', '--yes'])
    expect(code, out).toBe(1)
    expect(stateOf(place.sandbox)).toEqual(['ENG team-0 → member'])
    expect(out).toMatch(/^WARNING idp could not be read: /m)
    expect(flat(out)).toMatch(/Held \(1\) \? ENG elsewhere → member waits for idp/)
    expect(flat(out)).toContain('Next: idp could not be read whole. Repair that, then apply again')
  })

  test('64: an unknown verb, option or value', async () => {
    await using place = await openPlace({ declaration, groups })
    for (const args of [['aply'], ['plan', '--nope'], ['apply', '--yes', '--allow', 'x']])
      expect((await place.run(args)).code, args.join(' ')).toBe(64)
    expect(place.sandbox.requests).toEqual([])
  })

  test('78: settings or declaration that cannot be used, with the place; nothing is asked', async () => {
    await using place = await openPlace({ declaration, groups })
    await place.write('groups.yaml', 'version: 1\nworkspaces:\n  acme:\n    projectRols: []\n')
    for (const args of [
      ['apply', '--yes'],
      ['run', '--once'],
    ]) {
      const { code, err } = await place.run(args)
      expect(code, args.join(' ') + err).toBe(78)
      expect(err).toContain('groups.yaml:4:5')
    }
    await place.write('config.yaml', 'version: 1\nworkspace: {}\n')
    const { code, err } = await place.run(['plan'])
    expect(code).toBe(78)
    expect(err).toContain('config.yaml:2:1')
    expect(writesTo(place.sandbox)).toEqual([])
  })
})

test.concurrent('who waits for the rate limit is told how long, once, and why', async () => {
  const one = { version: 1, workspaces: { acme: { projectRoles: [{ group: 'devs', project: 'ENG', role: 'member' }] } } }
  // The policy `observe` needs two calls. Before a create the program would read the list a second time.
  const settings = { policy: 'observe' }
  const sandbox = { limit: { requests: 1, windowMs: 6_000 } }
  await using place = await openPlace({ settings, declaration: one, groups: ['devs'], sandbox })
  const plan = await place.run(['plan'])
  expect(plan.code, plan.err).toBe(0)
  expect(plan.err).toMatch(/^Waiting \d s for the rate limit of credential "default" \(Plane answered 429\)\.\n/)
  // With `--format json` the program writes no sentence to standard error.
  expect((await place.run(['plan', '--format', 'json'])).err).toBe('')
})
