import { describe, expect, test } from 'vitest'
import { defined } from '../../../src/core/optionalFields.ts'
import { load, under } from '../declaration/declare.ts'
import { planOfFiles } from './fencedFiles.ts'
import { acme, complete, lines, mapping, planIn, type SmallWorld, seenOf } from './smallWorld.ts'

const projects = ['PAY', 'OPS']
const directories = { corp: ['pay-devs', 'pay-leads', 'ops-devs', 'admins'] }
const sync = { policy: 'exclusive' } as const
const rules = (...entries: readonly string[]) => `projectRoles: [ ${entries.join(', ')} ]`
const exact = (group: string, role: string, more = '') =>
  `{ group: ${group}, project: ${group.startsWith('ops') ? 'OPS' : 'PAY'}, role: ${role}${more} }`
const all = (glob: string, role: string) => `{ groupGlob: "${glob}", project: PAY, role: ${role} }`
/** A mistake anywhere in a file. */
const mistake = 'nonsense: 1'
const at = (hereMs: string) => Date.parse(hereMs)

/** The plan of files without fences, each with the content of `acme:` or, with a line end, its whole text. */
function planOf(files: Readonly<Record<string, string>>, existing: readonly string[], over: SmallWorld = {}) {
  const texts = Object.entries(files).map(([file, text]) => [file, text.includes('\n') ? text : under('acme', `{ ${text} }`)])
  const loaded = load(Object.fromEntries(texts), { dateMs: 0 }, new Map())
  if (!loaded.valid) throw new Error(loaded.text)
  const declared = loaded.declaration.get(acme)
  if (declared === undefined) throw new Error('acme is not declared')
  const seen = seenOf({ directories, projects, existing, ...over })
  const mappings = existing.map(mapping)
  const lists = new Map(
    (['workspaceRoles', 'projectRoles'] as const).map((list) => [
      list,
      complete(mappings.filter(({ target }) => (list === 'workspaceRoles') === (target.kind === 'workspace'))),
    ]),
  )
  return planIn({ ...seen, declared, existing: { ...seen.existing, lists } })
}
const planned = (...given: Parameters<typeof planOf>) => lines(planOf(...given))
const held = (key: string) => `hold acme/project/${key}: fileInvalid`

describe('an invalid file, without fences', () => {
  test('gives nothing and takes nothing: what its text names is held, and the other files go on', () => {
    const files = {
      'a.yaml': `${rules(exact('pay-devs', 'guest'))}, ${mistake}`,
      'b.yaml': rules(exact('ops-devs', 'member'), all('pay-*', 'member')),
    }
    expect(planned(files, ['PAY pay-devs guest'])).toEqual([
      'create OPS ops-devs = member',
      'create PAY pay-leads = member',
      held('PAY/pay-devs'),
    ])
  })
  test('a mapping that no file names and that is not ours stays undeclared under sync', () => {
    const files = { 'a.yaml': `${rules(exact('pay-devs', 'guest'))}, ${mistake}`, 'b.yaml': rules(exact('ops-devs', 'guest')) }
    expect(planned(files, ['PAY admins admin'], { policy: 'sync' })).toContain(
      'hold acme/project/PAY/admins: undeclared (delete PAY admins = admin (undeclared))',
    )
  })
  test.each([
    ['a rule', rules(exact('pay-devs', 'guest'))],
    ['a rule with a mistake of its own', rules('{ group: pay-devs, project: PAY, rol: guest }')],
    ['a rule whose key for groups is mistyped', rules('{ gruop: pay-devs, project: PAY, role: guest }')],
    ['a rule in a list that is mistyped', 'projectRole: [ { group: pay-devs, project: PAY, role: guest } ]'],
    ['a rule whose project is no text', rules('{ group: pay-devs, project: { capture: x }, role: guest }')],
    ['a pattern', rules('{ groupGlob: "*-devs", project: PAY, role: guest }')],
    ['a former name', rules('{ group: pay-new, previously: pay-devs, project: PAY, role: guest }')],
    ['an entry of removed', 'removed: [ { group: pay-devs, project: PAY } ]'],
    ['an entry of unmanaged', 'unmanaged: [ { groupGlob: "pay-d*" } ]'],
  ])('names by %s', (_what, text) => {
    const others = { 'b.yaml': rules(all('pay-*', 'member')) }
    expect(planned(others, ['PAY pay-devs guest'])).toContain('patch PAY pay-devs: guest → member')
    const plan = planned({ ...others, 'a.yaml': `${text}, ${mistake}` }, ['PAY pay-devs guest'])
    expect(plan.filter((line) => line.includes('pay-devs'))).toEqual([held('PAY/pay-devs')])
    expect(plan).toContain('create PAY pay-leads = member')
  })
  test('holds what it names also against an exact line of another file: the two may contradict each other', () => {
    const files = { 'a.yaml': `${rules(exact('pay-devs', 'guest'))}, ${mistake}`, 'b.yaml': rules(exact('pay-devs', 'member')) }
    expect(planned(files, ['PAY pay-devs guest'])).toEqual([held('PAY/pay-devs')])
  })
  test('names nothing of another list, target or workspace', () => {
    const broken = `workspaceRoles: [ { group: pay-devs, role: guest } ], ${rules('{ group: pay-leads, project: OPS, role: guest }')}, ${mistake}`
    const files = { 'a.yaml': broken, 'b.yaml': rules(exact('pay-devs', 'member'), exact('pay-leads', 'member')) }
    expect(planned(files, [])).toEqual(['create PAY pay-devs = member', 'create PAY pay-leads = member'])
    const other = under('globex', `{ ${rules(exact('pay-devs', 'guest'))}, ${mistake} }\n`)
    expect(planned({ 'a.yaml': other, 'b.yaml': rules(exact('pay-devs', 'member')) }, [])).toEqual(['create PAY pay-devs = member'])
  })
  test('deletes nothing undeclared, in any workspace that it may speak of; what another file removes is deleted', () => {
    const open = { 'b.yaml': `${rules()}, removed: [ { group: ops-devs, project: OPS } ]` }
    const existing = ['OPS ops-devs member', 'PAY admins admin']
    expect(planned(open, existing, sync)).toContain('delete PAY admins = admin (undeclared)')
    for (const text of [mistake, under('globex', `{ ${mistake} }\n`)])
      expect(planned({ ...open, 'a.yaml': text }, existing, sync)).toEqual(['delete OPS ops-devs = member (removed)', held('PAY/admins')])
  })
  test('that is no YAML could say anything exact: patterns of other files wait, and exact lines go on', () => {
    const files = { 'a.yaml': 'version: 1\n  workspaces: [\n', 'b.yaml': rules(all('pay-*', 'member'), exact('ops-devs', 'member')) }
    expect(planned(files, ['PAY pay-devs guest'], sync)).toEqual([
      'create OPS ops-devs = member',
      held('PAY/pay-devs'),
      held('PAY/pay-leads'),
    ])
  })
  test('is the only one: nothing is written', () => {
    expect(planned({ 'a.yaml': 'x: [\n' }, ['PAY pay-devs guest'], sync)).toEqual([])
    expect(
      planned({ 'a.yaml': `${rules(exact('pay-devs', 'member'))}, ${mistake}` }, ['PAY pay-devs guest', 'OPS ops-devs guest'], sync),
    ).toEqual([held('PAY/pay-devs')])
  })
})

describe('what the journal knows of an invalid file', () => {
  const files = { 'a.yaml': `${rules()}, ${mistake}`, 'b.yaml': rules(all('pay-*', 'member')) }
  const given = { 'PAY pay-devs': { file: 'a.yaml' } }
  test('a mapping that it gave is held, also if its text does not name it', () => {
    expect(planned(files, ['PAY pay-devs guest'])).toContain('patch PAY pay-devs: guest → member')
    expect(planned(files, ['PAY pay-devs guest'], { given })).toContain(held('PAY/pay-devs'))
    expect(planned(files, ['PAY pay-devs guest'], { given: { 'PAY pay-devs': { file: 'b.yaml' } } })).toContain(
      'patch PAY pay-devs: guest → member',
    )
  })
  test('an end that is recorded happens also while its file is invalid, whatever its text says', () => {
    const endMs = at('2026-06-01')
    const longer = `${rules(exact('pay-devs', 'guest', ', expires: 2030-01-01'))}, ${mistake}`
    const over = { given: { 'PAY pay-devs': { file: 'a.yaml', endMs } } }
    for (const text of [longer, mistake, 'x: [\n']) {
      expect(planned({ 'a.yaml': text }, ['PAY pay-devs guest'], { ...over, nowMs: at('2026-06-02') })).toEqual([
        'delete PAY pay-devs = guest (expired)',
      ])
      const before = planOf({ 'a.yaml': text }, ['PAY pay-devs guest'], { ...over, nowMs: at('2026-05-20') })
      expect(lines(before)).toEqual([held('PAY/pay-devs')])
      expect(before.later).toMatchObject([{ atMs: endMs, group: 'pay-devs', write: { action: 'delete' } }])
    }
  })
  test('the delete names the file that gave the mapping; an end after the horizon is no row of what dates will change', () => {
    const given = { 'PAY pay-devs': { file: 'b.yaml', endMs: at('2026-06-01') } }
    const two = { 'a.yaml': `${rules(exact('pay-devs', 'guest'))}, ${mistake}`, 'b.yaml': mistake }
    const plan = (nowMs: number) => planOf(two, ['PAY pay-devs guest'], { given, nowMs, laterUntilMs: at('2026-05-31') })
    expect(plan(at('2026-06-01')).changes).toMatchObject([{ action: 'delete', because: { at: { file: 'b.yaml' } } }])
    expect(plan(at('2026-05-20')).later).toEqual([])
  })
  test('after such an end the other files decide', () => {
    const over = { given: { 'PAY pay-devs': { file: 'a.yaml', endMs: 1 } }, nowMs: 2 }
    expect(planned(files, ['PAY pay-devs guest'], over)).toContain('patch PAY pay-devs: guest → member')
  })
  test('an end that is recorded happens also if another rule of the file starts then, or later', () => {
    const endMs = at('2026-06-01')
    const given = { 'PAY pay-devs': { file: 'a.yaml', endMs } }
    for (const starts of ['2026-06-01', '2026-07-01']) {
      const text = `${rules(exact('pay-devs', 'guest', ', expires: 2026-05-31'), exact('pay-devs', 'member', `, starts: ${starts}`))}, ${mistake}`
      for (const now of ['2026-06-02', '2026-07-02'])
        expect(planned({ 'a.yaml': text }, ['PAY pay-devs guest'], { given, nowMs: at(now) })).toEqual([
          'delete PAY pay-devs = guest (expired)',
        ])
      const before = planOf({ 'a.yaml': text }, ['PAY pay-devs guest'], { given, nowMs: at('2026-05-20') })
      expect(before.later).toMatchObject([{ atMs: endMs, why: 'ends', write: { action: 'delete', before: 'guest' } }])
      expect(before.later).toHaveLength(1)
    }
  })
  test('an end that is recorded happens also if a rule of another file starts later: it does not keep the mapping until then', () => {
    const [endMs, startsMs] = [at('2026-06-01'), at('2026-07-01')]
    const over = { given: { 'PAY pay-devs': { file: 'a.yaml', endMs } } }
    const two = { 'a.yaml': mistake, 'b.yaml': rules(exact('pay-devs', 'member', ', starts: 2026-07-01')) }
    const plan = (now: string) => planOf(two, ['PAY pay-devs guest'], { ...over, nowMs: at(now) })
    expect(lines(plan('2026-05-20'))).toEqual([held('PAY/pay-devs')])
    expect(plan('2026-05-20').later.map(({ atMs, why, write }) => [atMs, why, write])).toEqual([
      [endMs, 'ends', { action: 'delete', before: 'guest' }],
      [startsMs, 'starts', { action: 'create', role: 'member' }],
    ])
    expect(lines(plan('2026-06-02'))).toEqual(['delete PAY pay-devs = guest (expired)'])
    expect(lines(plan('2026-07-02'))).toEqual(['patch PAY pay-devs: guest → member'])
  })
  test('a recorded end after which a pattern of another file decides is a row of what dates will change', () => {
    const endMs = at('2026-06-01')
    const plan = planOf(files, ['PAY pay-devs guest'], { given: { 'PAY pay-devs': { file: 'a.yaml', endMs } }, nowMs: at('2026-05-20') })
    expect(lines(plan)).toContain(held('PAY/pay-devs'))
    expect(plan.later).toMatchObject([{ atMs: endMs, group: 'pay-devs', why: 'ends', write: { action: 'patch', role: 'member' } }])
  })
  test('a recorded end of a valid file happens also if an invalid file names the mapping, or cannot be read', () => {
    const endMs = at('2026-06-01')
    const given = { 'PAY pay-devs': { file: 'b.yaml', endMs } }
    const ending = { 'b.yaml': rules(exact('pay-devs', 'guest', ', expires: 2026-05-31')) }
    const existing = ['PAY pay-devs guest']
    for (const text of [`${rules(exact('pay-devs', 'guest'))}, ${mistake}`, 'x: [\n']) {
      const plan = (nowMs: number, of: SmallWorld['given'] = given, others: typeof ending = ending) =>
        planned({ 'a.yaml': text, ...others }, existing, { nowMs, ...defined({ given: of }), policy: 'exclusive' })
      expect(plan(endMs)).toEqual(['delete PAY pay-devs = guest (expired)'])
      expect(plan(endMs, {})).toEqual([held('PAY/pay-devs')])
      expect(plan(endMs - 1, given, { 'b.yaml': rules() })).toEqual([held('PAY/pay-devs')])
      expect(plan(endMs, given, { 'b.yaml': rules() })).toEqual(['delete PAY pay-devs = guest (expired)'])
      expect(plan(endMs, given, { 'b.yaml': rules(all('pay-devs', 'member')) })).toEqual([held('PAY/pay-devs')])
    }
  })
  test('a recorded end happens also if its file is gone and a frozen file names the mapping: it was moved and broken', () => {
    const endMs = at('2026-06-01')
    const given = { 'PAY pay-devs': { file: 'old.yaml', isGone: true, endMs } }
    const moved = { 'new.yaml': `${rules(exact('pay-devs', 'guest'))}, ${mistake}` }
    const plan = (nowMs: number, of: SmallWorld['given'] = given) =>
      planOf(moved, ['PAY pay-devs guest'], { nowMs, ...defined({ given: of }) })
    expect(lines(plan(endMs - 1))).toEqual([held('PAY/pay-devs')])
    expect(plan(endMs - 1).later).toMatchObject([{ atMs: endMs, why: 'ends', write: { action: 'delete', before: 'guest' } }])
    expect(lines(plan(endMs))).toEqual(['delete PAY pay-devs = guest (expired)'])
  })
  test('a recorded end happens also if its file is gone and an invalid file names other mappings: undeclared deletes do not wait for it', () => {
    const endMs = at('2026-06-01')
    const given = { 'PAY pay-devs': { file: 'old.yaml', isGone: true, isMade: true, endMs } }
    const plan = (nowMs: number, policy: SmallWorld['policy'] & string) =>
      planned({ 'new.yaml': `${rules(exact('ops-devs', 'guest'))}, ${mistake}` }, ['PAY pay-devs guest'], { nowMs, given, policy })
    expect(plan(endMs - 1, 'exclusive')).toEqual([held('PAY/pay-devs')])
    expect(plan(endMs, 'exclusive')).toEqual(['delete PAY pay-devs = guest (undeclared)'])
    expect(plan(endMs, 'upsert-only')).toEqual(['hold acme/project/PAY/pay-devs: undeclared (delete PAY pay-devs = guest (undeclared))'])
  })
  test('two clocks that differ about the end decide nothing', () => {
    const over = {
      given: { 'PAY pay-devs': { file: 'a.yaml', endMs: at('2026-06-01') } },
      nowMs: at('2026-06-02'),
      thereMs: at('2026-05-01'),
    }
    const plan = planOf({ 'a.yaml': mistake }, ['PAY pay-devs guest'], over)
    expect([lines(plan), plan.later]).toEqual([[held('PAY/pay-devs')], []])
  })
  test('what is unmanaged is not held, whatever file gave it', () => {
    const unmanaged = { ...files, 'b.yaml': `${rules()}, unmanaged: [ { group: pay-devs } ]` }
    expect(planned(unmanaged, ['PAY pay-devs guest'], { given })).toEqual([])
  })
})

describe('an invalid file inside a fence', () => {
  const fenced = (files: Readonly<Record<string, string>>, existing: readonly string[] = [], over: SmallWorld = {}) =>
    lines(planOfFiles(files, existing, { ...sync, ...over }))
  const broken = (text: string) => `${text}, ${mistake}`
  test('holds what it names inside, and nothing outside', () => {
    const ops = rules('{ groupGlob: "*", project: OPS, role: member }')
    expect(
      fenced({ pay: broken(rules(exact('pay-devs', 'guest'), '{ group: ops-devs, project: OPS, role: guest }')), ops }, [
        'PAY pay-devs member',
      ]),
    ).toEqual([
      'create OPS admins = member',
      'create OPS all-staff = member',
      'create OPS ops-devs = member',
      'create OPS pay-devs = member',
      'create OPS pay-leads = member',
      held('PAY/pay-devs'),
    ])
  })
  test('does not change what a file without limits says by its exact name', () => {
    const platform = rules(exact('pay-devs', 'guest'))
    expect(fenced({ pay: broken(rules(exact('pay-devs', 'member'))), platform }, ['PAY pay-devs member'])).toEqual([
      'patch PAY pay-devs: member → guest',
    ])
    expect(
      fenced({ pay: broken(rules(exact('pay-devs', 'member'))), platform: rules(all('pay-*', 'guest')) }, ['PAY pay-devs member']),
    ).toEqual(['create PAY pay-leads = guest', held('PAY/pay-devs')])
  })
  test('holds what it names until an exact rule of a file without limits starts', () => {
    const startsMs = at('2026-07-01')
    const platform = rules(exact('pay-devs', 'guest', ', starts: 2026-07-01'))
    const plan = (now: string, text = broken(rules(exact('pay-devs', 'member')))) =>
      planOfFiles({ pay: text, platform }, ['PAY pay-devs member'], { ...sync, nowMs: at(now) })
    for (const text of [broken(rules(exact('pay-devs', 'member'))), '[']) {
      expect(lines(plan('2026-06-02', text))).toEqual([held('PAY/pay-devs')])
      expect(plan('2026-06-02', text).later).toMatchObject([
        { atMs: startsMs, why: 'starts', write: { action: 'patch', before: 'member', role: 'guest' } },
      ])
      expect(plan('2026-06-02', text).later.map(({ waits }) => waits)).toEqual([undefined])
      expect(lines(plan('2026-07-02', text))).toEqual(['patch PAY pay-devs: member → guest'])
    }
  })
  test('holds what it names again when the exact rule of a file without limits ends', () => {
    const platform = rules(exact('pay-devs', 'guest', ', expires: 2026-06-30'))
    const plan = planOfFiles({ pay: broken(rules(exact('pay-devs', 'member'))), platform }, ['PAY pay-devs guest'], {
      ...sync,
      nowMs: at('2026-06-02'),
    })
    expect(plan.later).toMatchObject([{ atMs: at('2026-07-01'), waits: { kind: 'fileInvalid' } }])
  })
  test('of which a part cannot be read holds what only patterns say inside the fence', () => {
    const platform = rules(all('*', 'guest'), exact('pay-leads', 'guest'))
    expect(fenced({ pay: '[', platform }, ['PAY pay-devs member'])).toEqual([
      'create PAY admins = guest',
      'create PAY ops-devs = guest',
      'create PAY pay-leads = guest',
      held('PAY/all-staff'),
      held('PAY/pay-devs'),
    ])
  })
  test('and holds a name that nobody knows, since it may be inside; one that a directory or a mapping has is inside or not', () => {
    const web = rules('{ group: pay-ghost, project: PAY, role: guest }')
    expect(fenced({ pay: broken(web), web })).toEqual([held('PAY/pay-ghost')])
    const platform = rules(all('ops-*', 'guest'))
    const two = { directories: { corp: ['ops-devs'], ldap: ['pay-devs'] } }
    expect(fenced({ pay: '[', platform }, ['PAY ops-former guest'], two)).toEqual([
      'create PAY ops-devs = guest',
      'hold acme/project/PAY/ops-former: groupUnknown',
    ])
  })
  test('is the reason also where another file inside a fence calls a mapping unmanaged that a file without limits declares', () => {
    const platform = rules(all('pay-d*', 'guest'))
    const web = 'unmanaged: [ { group: pay-devs, project: PAY } ]'
    expect(fenced({ pay: '[', web, platform }, ['PAY pay-devs guest'])).toEqual([held('PAY/pay-devs')])
  })
  test('that became narrower takes nothing of what its file gave', () => {
    const existing = ['OPS ops-devs member']
    const pay = rules('{ group: ops-devs, project: OPS, role: member }')
    const platform = rules('{ groupGlob: "*-devs", project: OPS, role: guest }')
    const given = { 'OPS ops-devs': { file: 'pay/a.yaml' } }
    expect(fenced({ pay, platform }, existing, { given })).toContain(held('OPS/ops-devs'))
  })
})

describe('a pattern whose fence became narrower', () => {
  const platform = rules()
  const pay = rules('{ groupGlob: "*", project: PAY, role: member }')
  const existing = ['PAY ops-devs member']
  const deleted = 'delete PAY ops-devs = member (undeclared)'
  const plan = (given: NonNullable<SmallWorld['given']>, text = pay) =>
    lines(planOfFiles({ platform, pay: text }, existing, { ...sync, given })).filter((line) => line.includes('ops-devs'))
  test('takes nothing of what its file gave, until its line is gone', () => {
    expect(plan({})).toEqual([deleted])
    expect(plan({ 'PAY ops-devs': { file: 'pay/a.yaml' } })).toEqual([held('PAY/ops-devs')])
    expect(plan({ 'PAY ops-devs': { file: 'pay/a.yaml' } }, rules())).toEqual([deleted])
    expect(plan({ 'PAY ops-devs': { file: 'pay/a.yaml' } }, pay.replace('"*"', '"*", except: [ops-devs]'))).toEqual([deleted])
    expect(plan({ 'PAY ops-devs': { file: 'pay/a.yaml' } }, pay.replace('PAY', 'PAYWEB'))).toEqual([deleted])
    expect(plan({ 'PAY ops-devs': { file: 'pay/a.yaml', endMs: 0 } })).toEqual([deleted])
  })
  test('holds nothing that is unmanaged, or that another file declares', () => {
    const given = { 'PAY ops-devs': { file: 'pay/a.yaml' } }
    const beside = (text: string) =>
      lines(planOfFiles({ platform: text, pay }, existing, { ...sync, given })).filter((line) => line.includes('ops-devs'))
    expect(beside(`${platform}, unmanaged: [ { group: ops-devs } ]`)).toEqual([])
    expect(beside(rules('{ group: ops-devs, project: PAY, role: guest }'))).toEqual(['patch PAY ops-devs: member → guest'])
  })
  test('that captures the project takes nothing in the project that it names, and holds no other', () => {
    const given = { 'PAY ops-devs': { file: 'pay/a.yaml' } }
    const captures = (regex: string, map: string) =>
      rules(`{ groupRegex: "${regex}", project: { capture: team, map: { ${map} } }, role: member }`)
    expect(plan(given, captures('ops-(?<team>[a-z]+)', 'devs: [PAY]'))).toEqual([held('PAY/ops-devs')])
    expect(plan(given, captures('(?<team>[a-z]+)-devs', 'pay: [PAY]'))).toEqual([deleted])
    expect(plan(given, captures('pay-(?<team>[a-z]+)', 'devs: [PAY]'))).toEqual([deleted])
    const outside = planOfFiles({ platform, pay: captures('(?<team>[a-z]+)-devs', '') }, ['OPS ops-devs member'], {
      ...sync,
      given: { 'OPS ops-devs': { file: 'pay/a.yaml' } },
    })
    expect(lines(outside)).toContain(held('OPS/ops-devs'))
  })
  test('takes nothing of what a file gave that was moved into the fence', () => {
    expect(plan({ 'PAY ops-devs': { file: 'old/a.yaml', isGone: true } })).toEqual([held('PAY/ops-devs')])
    expect(plan({ 'PAY ops-devs': { file: 'platform/a.yaml' } })).toEqual([deleted])
  })
})

describe('what this program made, and in no fence of the files', () => {
  const gone = { 'PAY pay-devs': { file: 'web/a.yaml', isGone: true } }
  const plan = (
    given: NonNullable<SmallWorld['given']>,
    files: Readonly<Record<string, string>> = { ops: rules() },
    more: SmallWorld = {},
  ) => lines(planOfFiles(files, ['PAY pay-devs member'], { ...sync, ...more, given }))
  test('is shown also under a policy that deletes nothing', () => {
    for (const policy of ['upsert-only', 'create-only'] as const)
      expect(plan({ 'PAY pay-devs': { file: 'ops/a.yaml' } }, undefined, { policy })).toEqual([
        'hold acme/project/PAY/pay-devs: undeclared (delete PAY pay-devs = member (undeclared))',
      ])
  })
  test('is undeclared: its file is gone, its fence became narrower and its line is gone, or its file names the list no more', () => {
    expect(plan({})).toEqual([])
    // `web/a.yaml` is there, and no longer names the list, which another file names.
    for (const given of [gone['PAY pay-devs'], { file: 'ops/a.yaml' }, { file: 'web/a.yaml' }]) {
      expect(plan({ 'PAY pay-devs': given })).toEqual(['delete PAY pay-devs = member (undeclared)'])
      expect(plan({ 'PAY pay-devs': { ...given, isMade: false } })).toEqual([])
    }
  })
  test('but not if no file names the list, which is read since an entry of removed names it', () => {
    const removing = { ops: 'removed: [{ group: ops-devs, project: OPS }]' }
    expect(plan({ 'PAY pay-devs': { file: 'ops/a.yaml' } }, removing)).toEqual([])
  })
  test('but not while a file may be the one that it was moved to', () => {
    expect(plan(gone, { ops: rules(), new: rules(exact('pay-devs', 'member')) })).toEqual([held('PAY/pay-devs')])
    expect(plan(gone, { ops: `${rules()}, ${mistake}` })).toEqual(['hold acme/project/PAY/pay-devs: fileInvalid'])
  })
})

describe('a file that no fence matches', () => {
  const fenced = (files: Readonly<Record<string, string>>, existing: readonly string[] = []) => lines(planOfFiles(files, existing, sync))
  test('holds what only patterns say of its names, and stops only undeclared deletes else', () => {
    const platform = rules(all('pay-*', 'guest'))
    const existing = ['PAY pay-devs member', 'PAY ops-devs member']
    expect(fenced({ new: rules(exact('pay-devs', 'member')), platform }, existing)).toEqual([
      'create PAY pay-leads = guest',
      held('PAY/ops-devs'),
      held('PAY/pay-devs'),
    ])
    expect(fenced({ new: rules(exact('pay-devs', 'member')), platform: rules(exact('pay-devs', 'guest')) }, existing)).toContain(
      'patch PAY pay-devs: member → guest',
    )
    expect(fenced({ new: '[', platform }, existing)).toContain('patch PAY pay-devs: member → guest')
  })
})

describe('files without fences that contradict each other hold the key in dispute, and nothing else', () => {
  const more = exact('ops-devs', 'member')
  const dispute = 'hold acme/project/PAY/pay-devs: contested'
  test.each([
    ['two roles', rules(exact('pay-devs', 'guest')), rules(exact('pay-devs', 'admin'), more)],
    ['a role and a removal', `removed: [ { group: pay-devs, project: PAY } ]`, rules(exact('pay-devs', 'guest'), more)],
    ['a role and an unmanaged entry', `unmanaged: [ { groupGlob: "pay-*" } ]`, rules(exact('pay-devs', 'guest'), more)],
    [
      'a removal and an unmanaged entry',
      `unmanaged: [ { group: pay-devs } ]`,
      `removed: [ { group: pay-devs, project: PAY } ], ${rules(more)}`,
    ],
  ])('%s', (_what, a, b) => {
    for (const files of [
      { 'a.yaml': a, 'b.yaml': b },
      { 'a.yaml': b, 'b.yaml': a },
    ]) {
      const plan = planned(files, ['PAY pay-devs member'])
      expect(plan.filter((line) => !line.startsWith('hold'))).toEqual(['create OPS ops-devs = member'])
      expect(plan.filter((line) => line.includes('pay-devs')).toSorted()).toEqual([dispute])
    }
  })
  test('one role in both is no dispute', () => {
    expect(planned({ 'a.yaml': rules(exact('pay-devs', 'guest')), 'b.yaml': rules(exact('pay-devs', 'guest')) }, [])).toEqual([
      'create PAY pay-devs = guest',
    ])
  })
})
