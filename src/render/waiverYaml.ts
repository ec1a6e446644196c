import { visible } from '../core/safeName.ts'
import { type DocumentChange } from '../documents/change.ts'
import { type Approvable } from './approvable.ts'
import { changeParts } from './change.ts'
import { changeFromDocument } from './documentParts.ts'
import { flowList, flowMap, yamlScalar } from './yamlText.ts'

type Words = Extract<Approvable, { readonly kind: 'words' }>

/** `untilMs`: epoch ms, by the date. It is rounded up to a whole minute. */
type WaiverOptions = { readonly untilMs: number; readonly reason: string }

/** A whole file of a declaration with a waiver for each of these changes and sets of changes. Comments say what they let pass. */
export function waiverYaml(entries: ReadonlyMap<string, readonly Words[]>, options: WaiverOptions): string {
  const workspaces = [...entries].flatMap(([workspace, waivers]) => [
    `  ${yamlScalar(workspace)}:`,
    '    waivers:',
    ...waivers.flatMap((words) => [
      ...comment(words),
      ...(words.changes.length === 1 ? singleEntries(words, options) : listEntry(words, options)),
    ]),
  ])
  return ['version: 1', 'workspaces:', ...workspaces, ''].join('\n')
}

/** Whether words can say it: a role that is called "none" would mean that there is no mapping. */
export const isSayable = ({ changes }: Words): boolean =>
  changes.every((change) => change.action === 'settings' || !rolesOf(change).includes('none'))

const rolesOf = (change: Exclude<DocumentChange, { readonly action: 'settings' }>): readonly (string | null)[] => [
  ...('before' in change ? [change.before] : []),
  ...('role' in change ? [change.role] : []),
]

const indent = '      '
const shownMax = 20

function comment({ sentence, changes }: Words): readonly string[] {
  const lines = changes.slice(0, shownMax).map((change) => {
    const { target, who, before, role, fact } = changeParts(changeFromDocument(change))
    return [`${target}  ${who}`, before, role, fact === '' ? '' : ` ${fact}`].filter((part) => part !== undefined && part !== '').join(' ')
  })
  const more = changes.length > shownMax ? [`… and ${changes.length - shownMax} more`] : []
  return [visible(sentence), ...[...lines, ...more].map((line) => `  ${line}`)].map((line) => `${indent}# ${line}`)
}

const singleEntries = ({ changes, people }: Words, options: WaiverOptions): readonly string[] =>
  changes.map((change) => `${indent}- ${flowMap([...changeWords(change), ...peopleWords(people), ...endWords(options)])}`)

const peopleWords = (people: Words['people']): readonly (readonly [string, string])[] =>
  people === undefined ? [] : [['people', String(people)]]

const listEntry = ({ changes, people }: Words, options: WaiverOptions): readonly string[] => [
  `${indent}- changes:`,
  ...foldChanges(changes).map((folded) => `${indent}    - ${flowMap(folded)}`),
  ...[...peopleWords(people), ...endWords(options)].map(([name, value]) => `${indent}  ${name}: ${value}`),
]

const endWords = ({ untilMs, reason }: WaiverOptions): readonly (readonly [string, string])[] => [
  ['until', minuteText(untilMs)],
  ['reason', yamlScalar(reason)],
]

const minuteMs = 60_000
/** `2026-11-23T12:00Z` */
const minuteText = (ms: number): string => `${new Date(Math.ceil(ms / minuteMs) * minuteMs).toISOString().slice(0, 16)}Z`

const changeWords = (change: DocumentChange): readonly (readonly [string, string])[] => foldChanges([change])[0] ?? []

type MappingChange = Extract<DocumentChange, { readonly target: unknown }>

/** The words of one entry of a waiver, in their order: name and YAML. */
type EntryWords = readonly (readonly [name: string, value: string])[]

/**
 * Changes as entries of a waiver. Changes that differ only in project share an entry; so do those of several groups in the same projects, if no entry
 * has the id of a group: an id belongs to one group.
 */
export function foldChanges(changes: readonly DocumentChange[]): readonly EntryWords[] {
  const settings = changes.flatMap((change) => (change.action === 'settings' ? [settingsWords(change)] : []))
  const mappings = changes.flatMap((change) => (change.action === 'settings' ? [] : [change]))
  const perGroup = [...Map.groupBy(mappings, groupName).values()].map((ofGroup) => ({
    first: ofGroup[0] as MappingChange,
    projects: [...new Set(ofGroup.flatMap(({ target }) => (target.kind === 'project' ? [target.project] : [])))].toSorted(),
  }))
  const shared = Map.groupBy(perGroup, (group, index) => (canShare(group.first) ? sharedName(group) : String(index)))
  const entries = [...shared.values()].map((ofEntry) => {
    const [{ first, projects }] = ofEntry as [(typeof ofEntry)[number]]
    return mappingWords(first, projects, [...new Set(ofEntry.map(({ first: { group } }) => group))].toSorted())
  })
  return [...entries, ...settings]
}

const groupName = (change: MappingChange): string =>
  JSON.stringify([change.group, change.target.kind, ...sayings(change), idOf(change), fromGroupOf(change)])
const sharedName = ({ first, projects }: { readonly first: MappingChange; readonly projects: readonly string[] }): string =>
  JSON.stringify([first.target.kind, ...sayings(first), projects])
const canShare = (change: MappingChange): boolean => idOf(change) === undefined && change.action !== 'rename'

/** A delete takes the role away from whichever group has it, so it needs no id. */
const idOf = (change: MappingChange): string | undefined => (change.action === 'delete' ? undefined : change.groupId)
const fromGroupOf = (change: MappingChange): string | undefined => (change.action === 'rename' ? change.fromGroup : undefined)

/** `from` and `to`. */
function sayings(change: MappingChange): readonly [from: string, to: string] {
  const before = change.action === 'create' ? 'none' : change.before === null ? 'null' : yamlScalar(change.before)
  return [before, change.action === 'delete' ? 'none' : yamlScalar(change.role)]
}

function mappingWords(change: MappingChange, projects: readonly string[], groups: readonly string[]): EntryWords {
  const [from, to] = sayings(change)
  const place: EntryWords[number] = change.target.kind === 'project' ? ['project', flowList(projects)] : [change.target.kind, 'true']
  const id = idOf(change)
  const previously = fromGroupOf(change)
  return [
    place,
    ['group', flowList(groups)],
    ...(previously === undefined ? [] : [['previously', yamlScalar(previously)] as const]),
    ...(id === undefined ? [] : [['id', yamlScalar(id)] as const]),
    ['from', from],
    ['to', to],
  ]
}

function settingsWords({ before, after }: Extract<DocumentChange, { readonly action: 'settings' }>): EntryWords {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof typeof before)[]
  const changed = names.filter((name) => before[name] !== undefined || after[name] !== undefined)
  const fields = changed.map((name) => {
    const ends = [['from', valueText(before[name])] as const, ['to', valueText(after[name])] as const]
    return [name, flowMap(ends)] as const
  })
  return [['groupSync', flowMap(fields)]]
}

const valueText = (value: string | boolean | null | undefined): string =>
  value === undefined ? 'null' : typeof value === 'string' ? yamlScalar(value) : String(value)
