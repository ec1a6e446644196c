import type { Danger, Place } from './danger.ts'

/** The content of one row of a rendering: one change, several of one rule, or of several groups. It is read from the text alone. */
export type ReadRow = Pick<Danger, 'place' | 'isProtected' | 'kind' | 'role'> & {
  readonly count: number
  /** Only for a row with one target: the target, the group and the roles. */
  readonly row?: string
  /** Only for a row that stands for several projects: the group, the role before and the role after. */
  readonly rule?: string
  /** Only for a row that stands for several groups: the role that all of them get; `several` if the row names several roles. */
  readonly bundle?: string
  /** The number of set titles above the row: within one part of a section, protected roles come first. */
  readonly part?: number
}

export const number = (text: string | undefined): number => Number((text ?? '').replaceAll(',', ''))

const token = String.raw`(?:"(?:[^"\\]|\\.)*"|[^\s"→»=·]+)`
const who = `(${token}(?: » ${token})?)`
const roles = String.raw`(?:\s+(${token}))?\s+([→=]) (${token})`
const target = String.raw`(workspace|all projects|${token})`
const patterns = {
  rule: new RegExp(String.raw`^${who}${roles} {2}in ([\d,]+) projects(?::|  |$)`, 'u'),
  /** A row for several groups, or for several roles of one group. */
  several: new RegExp(String.raw`^(?:[\d,]+ groups[: ].*|${who}(?:\s+${token})?\s+[→=] .*)  in `, 'su'),
  own: new RegExp(String.raw`^${target}\s{2,}${who}${roles}(?=\s{2}|$)`, 'u'),
}

const titles: readonly (readonly [RegExp, Place | 'other'])[] = [
  [/^[\d,]+ changes? needs? approval/, 'waiting'],
  [/^(Will|Would) be applied \(/, 'written'],
  [/^[\d,]+ protected roles?, approved .*; (will|would) be applied$/, 'written'],
  [/^Held(, protected)? \(/, 'held'],
  [/^Held meanwhile \(/, 'heldMeanwhile'],
  [/^Outcome unknown \(/, 'unknown'],
  [/^Refused by the service \(/, 'refused'],
  [/^Not sent \(/, 'notSent'],
  [/^Not tried \(/, 'left'],
  [/^Written \(/, 'done'],
]
export const placeOfTitle = (line: string): Place | 'other' => titles.find(([title]) => title.test(line))?.[1] ?? 'other'

const kindOfTarget = (text: string): Danger['kind'] =>
  text === 'workspace' || text === 'settings' ? text : text === 'all projects' ? 'allProjects' : 'project'

/** The rows of a plan or report as text, without colour. */
export function rowsOfText(text: string): readonly ReadRow[] {
  const lines = withWholeTitles(text.split('\n'))
  const rows: ReadRow[] = []
  let place: Place | 'other' = 'other'
  let part = 0
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith(' ')) place = placeOfTitle(line)
    if (setTitle.test(line)) part += 1
    const [, mark, rest] = rowPattern.exec(line) ?? []
    if (place === 'other' || mark === undefined || rest === undefined) continue
    const end = lines.findIndex((later, n) => n > index && !later.startsWith('      '))
    const below = lines.slice(index + 1, end < 0 ? undefined : end).map((one) => one.trim())
    rows.push({ place, part, isProtected: mark === '‼', ...readRow(rest, below) })
  }
  return rows
}

/** The title of changes that wait together for a limit. */
export const setTitle = /^ {2}limit [a-zA-Z]+:(?: |$)/
const rowPattern = /^ {2}([‼!?+↑↓~»⚙·-]) (.+)$/u

/** The same lines, with each title on one line. The further lines of a long title are indented. */
export function withWholeTitles(lines: readonly string[]): readonly string[] {
  const whole: string[] = []
  for (const line of lines) {
    const title = whole.at(-1)
    const goesOn = title !== undefined && !/^( |$)/.test(title) && /^ {2}\S/.test(line) && !rowPattern.test(line) && !setTitle.test(line)
    if (goesOn) whole[whole.length - 1] = `${title} ${line.trim()}`
    else whole.push(line)
  }
  return whole
}

type RowContent = Pick<ReadRow, 'kind' | 'role' | 'count' | 'row' | 'rule' | 'bundle'>

function readRow(first: string, below: readonly string[]): RowContent {
  // The targets of a row are on its next line if its first line is too long.
  const rest = below[0]?.startsWith('in ') === true && !/ {2}in /.test(first) ? `${first}  ${below[0]}` : first
  const rule = patterns.rule.exec(rest)
  if (rule !== null && (/ {2}in [\d,]+ projects:/.test(rest) || bundleCount([rest, ...below]) === undefined)) {
    const [, name = '', before, sign = '', role = '', count] = rule
    return { kind: 'project', role: `${sign} ${role}`, count: number(count), rule: rowText(name, before, `${sign} ${role}`) }
  }
  if (rest.startsWith('settings  ')) return { kind: 'settings', role: '', count: 1, row: 'settings' }
  const several = patterns.several.test(rest) ? bundleCount([rest, ...below]) : undefined
  if (several !== undefined) return { kind: 'project', role: '', count: several, bundle: bundleRole(rest) }
  const own = patterns.own.exec(rest)
  if (own === null) throw new Error(`this row cannot be read: ${rest}`)
  const [, where = '', name = '', before, sign = '', role = ''] = own
  return { kind: kindOfTarget(where), role: `${sign} ${role}`, count: 1, row: `${where} | ${rowText(name, before, `${sign} ${role}`)}` }
}

/** `→ guest` of a row that stands for several groups. */
const bundleRole = (rest: string): string => new RegExp(String.raw`(?:^|\s)([→=] ${token})(?=$|\s{2})`, 'u').exec(rest)?.[1] ?? 'several'

/** The number of changes in a row that stands for several: `24 changes`, on the line of the row or below it. */
const bundleCount = (lines: readonly string[]): number | undefined =>
  lines.flatMap((text) => /(?:^|\s{2})([\d,]+) changes?(?:,|$|\s{2})/.exec(text)?.[1] ?? []).map(number)[0]

const rowText = (name: string, before: string | undefined, role: string): string =>
  [name, ...(before === undefined ? [] : [before]), role].join(' | ')

const restPlaces: Readonly<Record<string, Place>> = {
  'will be applied': 'written',
  'would be applied': 'written',
  held: 'held',
  'held meanwhile': 'heldMeanwhile',
  'outcome unknown': 'unknown',
  'refused by the service': 'refused',
  'not sent': 'notSent',
  'not tried': 'left',
  written: 'done',
  'written otherwise than sent': 'done',
}

/** The rows of a Markdown document, with those of the workspaces for which it had no room. */
export function rowsOfMarkdown(document: string): readonly ReadRow[] {
  const rows: ReadRow[] = []
  let place: Place | 'other' | 'rest' = 'other'
  for (const line of document.split('\n')) {
    const title = /^\*\*(.+)\*\*$/.exec(line)?.[1] ?? /^<details(?: open)?><summary>(.+)<\/summary>$/.exec(line)?.[1]
    if (title !== undefined) place = placeOfTitle(title)
    if (/^### |^<\/details>/.test(line)) place = 'other'
    if (line.startsWith('… and ') && line.includes('more workspace')) place = 'rest'
    const [mark, target = '', name = '', role = '', first = '', second = ''] = cellsOf(line)
    if (mark === undefined || place === 'other') continue
    const label = plain(second)
    const at = place === 'rest' ? (label.startsWith('needs approval') ? 'waiting' : restPlaces[label]) : place
    if (at === undefined) throw new Error(`this row says not what it is of: ${line}`)
    // There the target follows its workspace.
    const where = place === 'rest' ? target.replace(/^(`|<code>|(?=\w))[\w-]+(?:\/|&#47;)/, '$1') : target
    rows.push({ place: at, isProtected: mark === '‼', ...readCells(where, name, role, first) })
  }
  return rows
}

/** Cells of a row that begins with a mark. */
function cellsOf(line: string): readonly string[] {
  if (!/^\| [‼!?+↑↓~»⚙·-] \|/u.test(line)) return []
  return line.slice(2, -2).split(' | ')
}

function readCells(where: string, name: string, role: string, first: string): RowContent {
  const own = /^(?:<code>.*<\/code>|`[^`]*`)$/.exec(where)
  const rule = /^([\d,]+) projects: (?:<code>|`)/.exec(where)
  const roles = new RegExp(String.raw`^(?:(${token}) )?([→=]) (${token})$`, 'u').exec(plain(role))
  const [, before, sign = '', after = ''] = roles ?? []
  const to = roles === null ? '' : `${sign} ${after}`
  if (own !== null) {
    const kind = kindOfTarget(plain(where))
    if (kind === 'settings') return { kind, role: '', count: 1, row: 'settings' }
    return { kind, role: to, count: 1, row: `${plain(where)} | ${rowText(plain(name), before, to)}` }
  }
  if (rule !== null) return { kind: 'project', role: to, count: number(rule[1]), rule: rowText(plain(name), before, to) }
  const several = /^([\d,]+) changes?(?:[,;]|$)/.exec(plain(first))?.[1]
  if (several !== undefined) return { kind: 'project', role: '', count: number(several), bundle: bundleRole(plain(role)) }
  // A group with one change in each project needs no number of changes.
  const each = /^([\d,]+) projects: /.exec(plain(where))?.[1]
  if (each !== undefined) return { kind: 'project', role: to, count: number(each), rule: rowText(plain(name), before, to) }
  throw new Error(`this row cannot be read: ${where} ${name} ${role} ${first}`)
}

/** The text that a reader of the rendered comment sees. */
export const plain = (markdown: string): string =>
  markdown.replaceAll(/`([^`]*)`|<\/?code>|&#(\d+);/g, (_, span?: string, unit?: string) => {
    if (span !== undefined) return span
    return unit === undefined || unit === '8203' ? '' : String.fromCharCode(Number(unit))
  })
