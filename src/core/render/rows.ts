import type { Change } from '../change.ts'
import type { Hold } from '../hold.ts'
import { visible } from '../safeName.ts'
import type { Canvas } from './canvas.ts'
import { type ChangeParts, changeParts, kindOf, nameText, placeOf, placeText, symbols } from './change.ts'
import { explainHold } from './hold.ts'
import type { Style } from './paint.ts'
import { count, untilText } from './quantity.ts'
import { layout, type Row } from './table.ts'
import type { About } from './view.ts'

/** At most `rowsMax` changes as aligned rows. */
export function changeRows(
  changes: readonly Change[],
  { roles }: Pick<About, 'roles'>,
  canvas: Canvas,
  rowsMax: number,
): readonly string[] {
  const shown = changes.slice(0, rowsMax).map((change) => rowOf(changeParts(change), symbols[kindOf(change, roles)]))
  return [
    ...layout(shown, canvas.width, canvas.paint),
    ...more(changes.length - shown.length).map((line) => `  ${canvas.paint('dim', line)}`),
  ]
}

export function rowOf(parts: ChangeParts, { symbol, style }: Pick<Row, 'symbol' | 'style'>, note = '', below: readonly string[] = []): Row {
  const { target, who, before, role, fact, reason, place } = parts
  return {
    symbol,
    style,
    lead: [{ text: target }, before === undefined ? { text: who } : { text: who, end: before }, { text: role }],
    tail: [{ text: [fact, note].filter((part) => part !== '').join(', ') }, { text: reason }, { text: place, style: 'dim' }],
    below,
  }
}

export type HoldStyle = {
  readonly symbol: string
  readonly style: Style
  /** The section's title says the reason already. */
  readonly silent?: boolean
  /** Each row's cure on a line of its own, ready to copy. */
  readonly apart?: boolean
  readonly rowsMax: number
}

/** Of one reason: the next reason shall be seen too. */
const alikeMax = 12

/** Holds as aligned rows; those with one cure stand together, and what they share is said once below them. */
export function holdRows(holds: readonly Hold[], how: HoldStyle, canvas: Canvas): readonly string[] {
  const rows: Row[] = []
  let hidden = 0
  for (const alike of Map.groupBy(holds, (hold) => `${hold.reason.kind} ${explainHold(hold).cure}`).values()) {
    const room = Math.min(alikeMax, how.rowsMax - rows.length)
    if (room <= 0) hidden += alike.length
    else for (const row of alikeRows(alike, room, how, canvas)) rows.push(row)
  }
  return [...layout(rows, canvas.width, canvas.paint), ...more(hidden).map((line) => `  ${canvas.paint('dim', line)}`)]
}

function alikeRows(alike: readonly Hold[], room: number, how: HoldStyle, { nowMs }: Canvas): readonly Row[] {
  const [first] = alike as [Hold]
  const { cure } = explainHold(first)
  const said = (hold: Hold) => (how.silent === true ? '' : sentenceOf(hold, nowMs))
  const sentence = said(first)
  if (alike.length === 1) {
    return [how.apart === true ? holdRow(first, how, sentence, [visible(cure)]) : holdRow(first, how, clauses(sentence, cure))]
  }
  const shared = alike.every((hold) => said(hold) === sentence)
  const shown = alike.slice(0, room)
  const below = [...more(alike.length - shown.length), clauses(shared ? sentence : '', cure)]
  return shown.map((hold, index) => holdRow(hold, how, shared ? '' : said(hold), index === shown.length - 1 ? below : []))
}

function holdRow(hold: Hold, how: HoldStyle, note: string, below: readonly string[] = []): Row {
  const { change, group, target, because, key } = hold
  if (change !== undefined) {
    const parts = changeParts(change)
    return rowOf(how.silent === true ? { ...parts, fact: '' } : parts, how, note, below)
  }
  return {
    symbol: how.symbol,
    style: how.style,
    lead: [
      { text: target === undefined ? '' : placeOf(target) },
      { text: group === undefined ? visible(key) : nameText(group) },
      { text: '' },
    ],
    tail: [{ text: note }, { text: '' }, { text: because === undefined ? '' : placeText(because), style: 'dim' }],
    below,
  }
}

const sentenceOf = (hold: Hold, nowMs: number): string =>
  visible(explainHold(hold).sentence) + (hold.untilMs === undefined ? '' : `, ${untilText(hold.untilMs, nowMs)}`)

const clauses = (...parts: readonly string[]): string =>
  parts
    .filter((part) => part !== '')
    .map(visible)
    .join('; ')

/** What a bound leaves out. */
export const more = (n: number): readonly string[] => (n === 0 ? [] : [`… and ${count(n)} more (--format json shows all)`])
