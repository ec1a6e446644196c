import type { Group, GroupIndex } from '../core/group.ts'
import { counted } from '../core/quantity.ts'
import { notesOf, type Reading } from '../core/reading.ts'
import { visible } from '../core/safeName.ts'
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
const peopleColumns = 6

/** The status and findings of a directory's reading, and its groups as rows: name, label if one has a label, people, place. Ends with a line break. */
export function groupListText({ name, kind, reading, groups }: GroupList): string {
  const columns = columnsFor(groups.map((group) => group.name))
  const labels = columnsFor(groups.flatMap(({ label = [] }) => label))
  const rows = groups.map(
    ({ name, label = '', people, place, names }) =>
      `  ${padEnd(visible(name), columns)}${labels === 0 ? '' : `  ${padEnd(visible(label), labels)}`}  ${padStart(people === undefined ? '' : `${people}`, peopleColumns)}  ${visible(place)}${namesText(names)}\n`,
  )
  const notes = notesOf(reading).map(({ code, severity, sentence, cure }) => {
    const next = cure === undefined ? '' : `; ${cure}`
    return `  ${severity} ${code}: ${visible(`${sentence}${next}`)}\n`
  })
  const cure = reading.status === 'failed' && reading.cure !== undefined ? `  ${visible(reading.cure)}\n` : ''
  return `${name} (${kind}) ${stateText(reading)} · ${sizeText(groups.length, reading)} · ${reading.tookMs} ms\n${cure}${notes.join('')}${rows.join('')}`
}

const columnsFor = (names: readonly string[]): number =>
  Math.min(
    nameColumnsMax,
    names.reduce((columns, name) => Math.max(columns, widthOf(visible(name))), 0),
  )

/** `94 groups`; `2 of 94 groups` if only some are shown. */
function sizeText(shown: number, reading: Reading<GroupIndex>): string {
  const all = reading.status === 'failed' ? 0 : reading.value.values().reduce((sum, groups) => sum + groups.length, 0)
  return shown === all ? counted(all, 'group') : `${shown} of ${counted(all, 'group')}`
}

const namesText = (names: Group['names']): string => (names === undefined ? '' : ` (names: ${names.map(visible).join(', ')})`)

function stateText(reading: Reading<GroupIndex>): string {
  switch (reading.status) {
    case 'complete':
      return 'complete'
    case 'partial':
      return `partial: ${visible(reading.missing)}`
    case 'failed':
      return `failed: ${visible(reading.why)}`
    default:
      return reading satisfies never
  }
}
