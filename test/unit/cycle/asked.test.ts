import { describe, expect, test } from 'vitest'
import { mappingFindings } from '../../../src/core/doctor/mappings.ts'
import type { GroupIndex } from '../../../src/core/group.ts'
import { judge } from '../../../src/core/judge/guards.ts'
import { type GroupName, type List, listOf } from '../../../src/core/mapping.ts'
import type { Reading } from '../../../src/core/reading.ts'
import type { Rule, WorkspaceDeclaration } from '../../../src/core/rule.ts'
import { type DraftSettings, draftPlan } from '../../../src/cycle/draftPlan.ts'
import type { Reader } from '../../../src/cycle/readExisting.ts'
import { locate, nowhereText, readPeople } from '../../../src/cycle/readPeople.ts'
import { holdParts } from '../../../src/render/entry.ts'
import { explainText } from '../../../src/render/explainText.ts'
import { explainHold } from '../../../src/render/hold.ts'
import {
  acme,
  complete,
  failed,
  groups,
  hash,
  judging,
  mapping,
  partial,
  pattern,
  projectsOf,
  roles,
  rule,
  target,
} from '../core/smallWorld.ts'

/**
 * Who was asked for the group `ghosts`. `read`: the directories that rules of the workspace ask. `settings`: all directories. `from`: that of the rules which
 * name `ghosts`; other rules ask the rest of `read`.
 */
type Case = {
  readonly read: Readonly<Record<string, Reading<GroupIndex>>>
  readonly settings: readonly string[]
  readonly from?: readonly string[]
  readonly recorded?: readonly string[]
}
const without = complete(groups('devs', 'ops'))
const withIt = complete(groups('devs', 'ghosts', 'ghosts-too'))

const cases: Readonly<Record<string, Case>> = {
  'one directory': { read: { corp: without }, settings: ['corp'] },
  'one directory, which the rule names': { read: { corp: without }, settings: ['corp'], from: ['corp'] },
  'two directories': { read: { corp: without, idp: complete(groups('web')) }, settings: ['corp', 'idp'] },
  'one asked of two': { read: { corp: without }, settings: ['corp', 'idp'], from: ['corp'] },
  'two asked of four': { read: { corp: without, idp: without }, settings: ['corp', 'hr', 'idp', 'lab'], from: ['corp', 'idp'] },
  'one asked, and the other has it': { read: { corp: without, idp: withIt }, settings: ['corp', 'idp'], from: ['corp'] },
  'one asked, and two others have it': {
    read: { corp: without, idp: withIt, lab: withIt },
    settings: ['corp', 'idp', 'lab'],
    from: ['corp'],
  },
  'one asked, and the other does not have it either': { read: { corp: without, idp: without }, settings: ['corp', 'idp'], from: ['corp'] },
  'one asked, and the other failed': { read: { corp: without, idp: failed }, settings: ['corp', 'idp'], from: ['corp'] },
  'one asked, and a part of the other has it': {
    read: { corp: without, idp: partial(groups('ghosts', 'ghosts-too')) },
    settings: ['corp', 'idp'],
    from: ['corp'],
  },
  'two asked, one failed': { read: { corp: without, idp: failed }, settings: ['corp', 'idp'] },
  'two asked, one was read in part': { read: { corp: without, idp: partial(groups('web')) }, settings: ['corp', 'idp'] },
  'a narrow recording that looked for it': { read: { corp: without }, settings: ['corp'], recorded: ['ghosts', 'ghosts-too'] },
  'a narrow recording that did not look for it': { read: { corp: without }, settings: ['corp'], recorded: ['devs'] },
}

const signal = AbortSignal.any([])
const place = (line: number) => ({ because: { at: { file: 'groups.yaml', line, column: 5 } } })
const settingsOf = ({ settings, read, recorded }: Case, group: string): DraftSettings => ({
  diff: { origin: 'x', policy: 'sync', roles, doors: 'any', echoes: {}, hash, laterUntilMs: 0 },
  remembered: {
    groups: { ids: {}, lastId: () => undefined, countOf: () => 0, isWaived: () => false },
    projects: { ids: {}, isWaived: () => false },
    sizeOf: () => 1,
    known: { idsOf: () => [], keysOf: () => [], keysOfGroup: () => [], isSettled: () => true },
    lastApplied: () => [],
  },
  dates: () => ({ hereMs: 0, thereMs: undefined }),
  others: [],
  asked: { group: group as GroupName, target: target('ENG') },
  unasked: settings.filter((name) => !Object.hasOwn(read, name)),
  ...(recorded && { recordedGroups: { names: new Set(recorded as readonly GroupName[]), patterns: new Set() } }),
})

/** Drafts the plan of these rules over these mappings, and of the answer of `explain` to the question about a group in ENG. */
async function drafted(one: Case, rules: readonly Rule[], existing: readonly string[] = [], group = 'ghosts') {
  const rows = existing.map(mapping)
  const declared: WorkspaceDeclaration = {
    ...{ workspace: acme, owns: new Set<List>(['projectRoles']), removed: [], unmanaged: [] },
    // The other directories are asked for other groups.
    rules: [...rules, ...Object.keys(one.read).map((name, index) => rule('devs', 'OPS', 'guest', { from: [name], ...place(90 + index) }))],
  }
  const read: Reader = {
    mappings: async (list) => complete(rows.filter((row) => listOf(row.target) === list)),
    mapping: async () => ({ is: 'gone' }),
    projects: async () => complete(projectsOf('ENG', 'OPS')),
    groupSync: async () => ({}),
  }
  const { plan, explained } = await draftPlan(declared, new Map(Object.entries(one.read)), read, settingsOf(one, group), signal, undefined)
  if (explained === undefined) throw new Error('nothing was explained')
  return { plan, explained }
}

type Drafted = Awaited<ReturnType<typeof drafted>>
const doors = 'any'
const about = { workspace: acme, slug: acme, host: 'plane.example.com', policy: 'sync', suspend: false, roles, doors } as const
const holdsOn = ({ plan }: Drafted, group: string) =>
  plan.holds.filter((hold) => hold.group === group).map((hold) => ({ hold, ...explainHold(hold, { doors }) }))
const answerOf = ({ plan, explained }: Drafted): string =>
  explainText(
    // @ts-expect-error Of the workspace only what an answer says is here.
    { about, declaration: { kept: undefined }, judged: judge(plan, judging), explained, unasked: [], nowMs: 0 },
    { colour: false, width: 10_000 },
  ).split('\n')[0] ?? ''
const findingsOf = ({ plan }: Drafted, code: string) =>
  plan.findings.filter((finding) => finding.code === code).map(({ sentence, cure }) => `${sentence} → ${cure}`)

/** Every sentence about `ghosts`, each with the question that it answers. */
async function sentencesOf(one: Case): Promise<readonly (readonly [string, string])[]> {
  const from = one.from === undefined ? {} : { from: one.from }
  const exact = await drafted(one, [rule('ghosts', 'ENG', 'member', { ...from, ...place(1) })])
  const mapped = await drafted(one, [rule('ghosts', 'ENG', 'member', { ...from, ...place(1) })], ['ENG ghosts member'])
  const regex = await drafted(one, [pattern('ghosts.*', 'ENG', 'member', { ...from, ...place(1) })], [], 'ghosts-too')
  const besides = await drafted(one, [pattern('ghosts.*', 'ENG', 'member', { ...from, ...place(1) })], ['ENG ghosts member'])
  const undeclared = await drafted(one, [rule('devs', 'ENG', 'member', { ...from, ...place(1) })], ['ENG ghosts member'])
  const except = await drafted(one, [exceptGhosts(from)])
  const directories = new Map(Object.entries(one.read))
  const located = locate(new Set(['ghosts' as GroupName]), one.settings, directories)
  const { unknown } = await readPeople(located, new Map(), 0, signal)
  const at = located.get('ghosts' as GroupName)
  const people = at?.kind === 'nowhere' ? nowhereText(at.asked, 'ghosts' as GroupName) : (unknown.get('ghosts' as GroupName) ?? '')
  const names = new Map(
    [...directories].flatMap(([name, reading]) => (reading.status === 'complete' ? [[name, reading.value.keys()] as const] : [])),
  )
  const doctor = (of: Drafted) =>
    mappingFindings({
      ...{ plan: of.plan, existing: [mapping('ENG ghosts member', 0)], roles, unmanagedLists: new Map() },
      directories: new Map([...names].map(([name, keys]) => [name, [...keys]])),
    }).map(({ sentence, cure }) => `${sentence} → ${cure}`)
  return [
    ...holdsOn(exact, 'ghosts').map(({ sentence, cure }) => ['held', `${sentence} → ${cure}`] as const),
    ['explained', answerOf(exact)],
    ...holdsOn(mapped, 'ghosts').map(({ sentence, cure }) => ['dangling', `${sentence} → ${cure}`] as const),
    ...holdsOn(besides, 'ghosts').map(({ sentence, cure }) => ['dangling by a pattern', `${sentence} → ${cure}`] as const),
    ['a pattern explained', answerOf(regex)],
    ...findingsOf(regex, 'pattern-unused').map((text) => ['a pattern', text] as const),
    ...findingsOf(except, 'except-unused').map((text) => ['except', text] as const),
    ...undeclared.plan.holds.filter(({ group }) => group === 'ghosts').map((hold) => ['undeclared', holdParts(hold).fact ?? ''] as const),
    ['people', people],
    ...doctor(mapped).map((text) => ['doctor, declared', text] as const),
    ...doctor(undeclared).map((text) => ['doctor, undeclared', text] as const),
  ]
}

function exceptGhosts(from: Pick<Rule, 'from'>): Rule {
  const made = pattern('d.*', 'ENG', 'member', { ...from, ...place(1) })
  return made.groups.kind === 'pattern' ? { ...made, groups: { ...made.groups, except: new Set(['dghosts' as GroupName]) } } : made
}

test('which directories were asked is in each sentence about a group that they do not know', async () => {
  const parts = []
  for (const [title, one] of Object.entries(cases)) {
    const lines = (await sentencesOf(one)).map(([of, text]) => `  ${of}: ${text}`)
    parts.push(`${title}\n${lines.join('\n')}\n`)
  }
  await expect(parts.join('\n')).toMatchFileSnapshot('./snapshots/asked.txt')
})

/** The directories in a part of a sentence. */
const named = (part: string | undefined): readonly string[] => part?.match(/\b(?:corp|hr|idp|lab)\b/g) ?? []
/** Those that do not know the group, and those that have one of this name. */
const lacking = (text: string) => named(/^(.*?) do(?:es)? not know/.exec(text)?.[1])
const having = (text: string) => named(/^.* not know(.*) ha(?:s|ve)(?: a group of this name|: "ghosts")/.exec(text)?.[1])
const ofRule = new Set(['held', 'explained', 'dangling', 'dangling by a pattern', 'a pattern explained', 'doctor, declared'])

describe.each(Object.entries(cases))('%s', (_, one) => {
  const isWhole = (name: string) => one.read[name]?.status === 'complete'

  test('a directory that does not know the group was asked, and was read whole', async () => {
    for (const [of, text] of await sentencesOf(one)) {
      const names = lacking(text)
      expect(names.filter(isWhole), `${of}: ${text}`).toEqual(names)
      if (ofRule.has(of) && names.length > 0) expect(names, text).toEqual((one.from ?? Object.keys(one.read)).filter(isWhole))
    }
  })

  test('that another one has it is said if this run has read so, and only then; the cure is about it', async () => {
    const elsewhere = Object.entries(one.read).flatMap(([name, reading]) =>
      reading.status !== 'failed' && reading.value.has('ghosts' as GroupName) ? [name] : [],
    )
    for (const [of, text] of await sentencesOf(one)) {
      expect(having(text), `${of}: ${text}`).toEqual(ofRule.has(of) ? elsewhere : [])
      if (having(text).length > 0 && text.includes(' → '))
        expect(text, of).toMatch(/if the group of .* is meant, let the "from" of the rule name /)
    }
  })
})

test('no directory is asked for a hint: one that no rule asks is not read, and has no reading to look in', async () => {
  const { plan, explained } = await drafted(cases['one asked of two'] as Case, [
    rule('ghosts', 'ENG', 'member', { from: ['corp'], ...place(1) }),
  ])
  expect(explained.directories.map(({ name }) => name)).toEqual(['corp'])
  expect(plan.holds.map(({ reason }) => reason)).toEqual([{ kind: 'groupUnknown', directories: ['corp'], asksOnly: true, mapped: false }])
})

test('a directory that has the very name is named, and no similar name of one that was asked', async () => {
  const read = { corp: complete(groups('devs', 'ghost')), idp: withIt }
  const hold = async (settings: Case) =>
    holdsOn(await drafted(settings, [rule('ghosts', 'ENG', 'member', { from: ['corp'], ...place(1) })]), 'ghosts')
  const [named] = await hold({ read, settings: ['corp', 'idp'] })
  expect(named?.cure).toBe('if the group of idp is meant, let the "from" of the rule name idp')
  expect(named?.hold.reason).not.toHaveProperty('near')
  expect((await hold({ read: { corp: read.corp }, settings: ['corp', 'idp'] })).map(({ cure }) => cure)).toEqual(['did you mean ghost?'])
})
