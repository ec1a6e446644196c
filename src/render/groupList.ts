import { cureText } from '../core/cures.ts'
import { type Group, type GroupIndex, indexSize } from '../core/group.ts'
import { counted, sizeText } from '../core/quantity.ts'
import { isComplete, notesOf, type Reading, whyIncomplete } from '../core/reading.ts'
import { nameInLine, oneLine, unsafeName } from '../core/safeName.ts'
import { padEnd, padStart, widthOf } from './width.ts'

type GroupList = {
  readonly name: string
  readonly kind: string
  readonly reading: Reading<GroupIndex>
  /** The groups of the reading to show, in this order: all, or those that were asked for. */
  readonly groups: readonly Group[]
}

/** The widest column of names. A longer name moves only the rest of its own row. */
const nameColumnsMax = 60
/** The most characters of a sentence. The program's own are shorter; a text from a directory can be of any length. */
const sentenceMax = 2_000

/** The status and findings of a directory's reading, and its groups as rows: name, label if one has a label, size, place. Ends with a line break. */
export function groupListText({ groups, ...list }: GroupList): string {
  const columns = columnsFor(groups.map((group) => group.name))
  const labels = columnsFor(groups.flatMap(({ label = [] }) => label))
  const sizeColumns = columnsFor(groups.map(({ size }) => sizeText(size)))
  const rows = groups.map((group) => {
    const { name, label = '', size, names } = group
    const called = [padEnd(nameInLine(name), columns), ...(labels === 0 ? [] : [padEnd(nameInLine(label), labels)])]
    return `  ${[...called, padStart(sizeText(size), sizeColumns), `${placeText(group)}${namesText(names)}`].join('  ').trimEnd()}\n`
  })
  return `${readingText(list, groupsText(groups.length, list.reading))}${rows.join('')}`
}

/** What a directory answered, without its groups, and the members of some of its groups. */
type Transcribed = Omit<GroupList, 'groups'> & {
  /** Undefined if the directory is not asked for members, for `whyNone`. */
  readonly members: { readonly groups: number; readonly reading: Reading<unknown> } | undefined
  readonly whyNone: string
}

/** The status and findings of a transcript's readings. Ends with a line break. */
export function transcribedText({ members, whyNone, ...list }: Transcribed): string {
  const groups = list.reading.status === 'failed' ? 0 : groupsIn(list.reading.value)
  const of = members === undefined ? `no members: ${oneLine(whyNone, sentenceMax)}` : membersText(members)
  return `${readingText(list, counted(groups, 'group'))}  ${of}\n`
}

function membersText({ groups, reading }: NonNullable<Transcribed['members']>): string {
  const cure = reading.status === 'failed' && reading.cure !== undefined ? `\n  ${oneLine(reading.cure, sentenceMax)}` : ''
  return `members of ${counted(groups, 'group')}: ${stateText(reading)}${cure}`
}

function readingText({ name, kind, reading }: Omit<GroupList, 'groups'>, size: string): string {
  const notes = notesOf(reading).map(({ code, severity, sentence, cure }) => {
    const next = cure === undefined ? '' : `; ${cureText(code, cure)}`
    return `  ${severity} ${code}: ${oneLine(`${sentence}${next}`, sentenceMax)}\n`
  })
  const cure = reading.status === 'failed' && reading.cure !== undefined ? `  ${oneLine(reading.cure, sentenceMax)}\n` : ''
  return `${name} (${kind}) ${stateText(reading)} · ${size} · ${reading.tookMs} ms\n${cure}${notes.join('')}`
}

const columnsFor = (names: readonly string[]): number =>
  Math.min(
    nameColumnsMax,
    names.reduce((columns, name) => Math.max(columns, widthOf(nameInLine(name))), 0),
  )

/** `94 groups`; `2 of 94 groups` if only some are shown. */
function groupsText(shown: number, reading: Reading<GroupIndex>): string {
  const total = reading.status === 'failed' ? 0 : groupsIn(reading.value)
  return shown === total ? counted(total, 'group') : `${shown} of ${counted(total, 'group')}`
}

const groupsIn = (index: GroupIndex): number => index.values().reduce((sum, groups) => sum + groups.length, 0)

/** Empty if the row has it already: a path or an address that is the name, or a path that ends with the id that is the name. */
const placeText = ({ name, id, place }: Group): string =>
  place === name || (id === name && place.endsWith(`/${id}`)) ? '' : `${nameInLine(place)} `

const namesText = (names: Group['names']): string => (names === undefined ? '' : `(names: ${names.map(nameInLine).join(', ')})`)

function stateText(reading: Reading<unknown>): string {
  switch (reading.status) {
    case 'complete':
      return 'complete'
    case 'partial':
      return `partial: ${oneLine(reading.missing, sentenceMax)}`
    case 'failed':
      return `failed: ${oneLine(reading.why, sentenceMax)}`
    default:
      return reading satisfies never
  }
}

/** A tenth of the groups may be removed, and another tenth renamed, before the expectation has to be changed. */
const share = 0.8
const namesMax = 10

/**
 * The setting `expect` of a directory as YAML, from the groups that it has now: four fifths of their number, and names from which a person chooses.
 * A name that is an id has its label beside it. The names of the largest groups come first. If no size is known, the names are spread over all
 * names in their order. A name that no rule can have is not proposed. An incomplete reading gives a comment that says why. Ends with a line break.
 */
export function expectText(name: string, reading: Reading<GroupIndex>): string {
  const key = `  ${JSON.stringify(name)}:\n`
  if (!isComplete(reading)) return `${key}    # no proposal: ${oneLine(whyIncomplete(reading) ?? '', sentenceMax)}\n`
  const size = indexSize(reading.value)
  const names = proposed([...reading.value.values()].flatMap((groups) => (groups.length === 1 ? groups : [])))
  return [
    `${key}    expect:\n`,
    `      atLeast: ${Math.max(1, Math.floor(size * share))} # four fifths of ${counted(size, 'group')}\n`,
    ...(names.length === 0 ? [] : ['      names: # keep only those that must always exist\n']),
    ...names.map(
      ({ name: groupName, label }) => `        - ${JSON.stringify(groupName)}${label === undefined ? '' : ` # ${nameInLine(label)}`}\n`,
    ),
  ].join('')
}

function proposed(groups: readonly Group[]): readonly Group[] {
  const own = groups.filter(({ name, names }) => names === undefined && unsafeName(name) === undefined)
  const sized = own.flatMap((group) => (group.size === undefined ? [] : [{ group, size: group.size.least }]))
  const largest = sized.toSorted((a, b) => b.size - a.size).slice(0, namesMax)
  return largest.length > 0 ? largest.map(({ group }) => group) : spread(own)
}

/** At most `namesMax` groups, at equal distances. */
const spread = (groups: readonly Group[]): readonly Group[] => {
  const step = Math.max(1, groups.length / namesMax)
  return Array.from({ length: Math.min(namesMax, groups.length) }, (_, index) => groups[Math.floor(index * step)] as Group)
}
