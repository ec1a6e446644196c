import { count, counted, listedFirst } from '../core/quantity.ts'
import { type ChangeParts, symbols } from './change.ts'
import type { PlanEntry } from './entry.ts'
import { type Bundle, type Fold, folderOf } from './fold.ts'
import { peopleInGroups } from './people.ts'
import { fileText, ownerText } from './width.ts'

/* The words of a row, for one fold and for several, in every format. */

/** What the columns after the role say. `why` and `cure` are empty where there is nothing to say. */
export type RowWords = {
  readonly fact: string
  readonly reason: string
  readonly why: string
  readonly times: string
  readonly cure: string
}

/** @param parts the cells of a row for several folds, if they are made already */
export function rowWords(row: Bundle, parts?: BundleParts): RowWords {
  const [fold, ...others] = row
  const entries = row.flat()
  const words = {
    why: alikeText(entries.map(({ why }) => why)),
    times: commonText(entries, ({ times = '' }) => times),
    cure: others.length === 0 ? cureOf(fold) : alikeText(entries.map(({ sharedCure }) => sharedCure)),
  }
  if (others.length === 0) return { ...words, fact: factOf(fold), reason: fold[0].parts.reason }
  // Of numbers that differ only the limit is said.
  const label = commonText(entries, (entry) => entry.label)
  const { fact, reason } = parts ?? bundleParts(row)
  return { ...words, fact, reason, why: label !== '' && new Set(entries.map(({ why }) => why)).size > 1 ? label : words.why }
}

/** The text that all entries have; empty if they differ. */
export function commonText(entries: readonly PlanEntry[], of: (entry: PlanEntry) => string): string {
  const [text = '', ...others] = new Set(entries.map(of))
  return others.length === 0 ? text : ''
}

/** Characters for what differs, and how many whole texts stand beside each other. */
const differsMax = 160
const textsMax = 3

/** Texts that differ in one place are one sentence with all that differs: `the credential sees no project LAB, OPS and 3 more`. Otherwise the first ones. */
function alikeText(all: readonly string[]): string {
  const texts = [...new Set(all)].filter((text) => text !== '')
  const [first = '', ...others] = texts
  if (others.length === 0) return first
  const words = texts.map((text) => text.split(' '))
  const [own = []] = words
  const shortest = words.reduce((least, { length }) => Math.min(least, length), own.length) - 1
  const same = (at: (of: readonly string[]) => string | undefined) => words.every((of) => at(of) === at(own))
  let before = 0
  while (before < shortest && same((of) => of[before])) before += 1
  let after = 0
  while (after < shortest - before && same((of) => of.at(-1 - after))) after += 1
  if (before + after < 3) {
    const left = texts.length - textsMax
    return [...texts.slice(0, textsMax), ...(left > 0 ? [`${counted(left, 'other')} (--all shows each)`] : [])].join(' · ')
  }
  const parts = words.map((of) => of.slice(before, of.length - after).join(' '))
  const named = firstWithin(parts, differsMax)
  return [...own.slice(0, before), listedFirst(named, parts.length), ...own.slice(own.length - after)].join(' ')
}

/** `160 people, 158 new, 2 raised`. The effect stands in a row of several entries only if it is the same for all of them. */
export function factOf(fold: Fold): string {
  const [{ parts }] = fold
  const effect = fold.every((entry) => entry.parts.effect === parts.effect) ? parts.effect : ''
  return [parts.fact, effect ?? ''].filter((part) => part !== '').join(', ')
}

export const clauses = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join('; ')

/** The cure of a row. A row of one entry names that change's own id. */
const cureOf = (fold: Fold): string => (fold.length === 1 ? fold[0].cure : fold[0].sharedCure)

/** `125 projects` */
export const projectsText = (fold: Fold): string => counted(fold.length, 'project')

/** The projects of a row: `API, PAY, WEB …` */
export const projectsWithin = (fold: Fold, charactersMax: number): string =>
  namesWithin(
    fold.map(({ parts }) => parts.target),
    charactersMax,
  )

/** `API, PAY, WEB …`: the first name always, and as many others as fit into `charactersMax`. */
export function namesWithin(names: readonly string[], charactersMax: number): string {
  const first = firstWithin(names, charactersMax)
  return first.join(', ') + (first.length < names.length ? ' …' : '')
}

function firstWithin(names: readonly string[], charactersMax: number): readonly string[] {
  let length = -2
  const end = names.findIndex((name, index) => {
    length += 2 + name.length
    return index > 0 && length > charactersMax
  })
  return end < 0 ? names : names.slice(0, end)
}

const kindWords = new Map([...Object.entries(symbols).map(([kind, { symbol }]) => [symbol, kind] as const), ['‼', 'protected']])

/** `10 create, 2 raise`: entries without rows, by kind; empty for holds, which are of one kind. */
export function kindsText(entries: readonly PlanEntry[]): string {
  const byKind = Map.groupBy(entries, ({ mark }) => kindWords.get(mark.symbol))
  return [...byKind].flatMap(([kind, of]) => (kind === undefined ? [] : [`${count(of.length)} ${kind}`])).join(', ')
}

const nameOf = ({ group, parts }: PlanEntry): string => group ?? parts.who

/** `1,230 people`, each group counted once; empty if no directory counts them. */
const peopleOf = (entries: readonly PlanEntry[]): string =>
  peopleInGroups(entries.map((entry) => ({ group: nameOf(entry), ...(entry.size === undefined ? {} : { size: entry.size }) })))

/** The cells of a row for several folds. `short`: the groups without names. `where`: `workspace`, `40 projects: API, PAY …`. */
type BundleParts = Omit<ChangeParts, 'target'> & { readonly short: string; readonly where: string }

const rolesMax = 6
const remarksMax = 3
/** Characters for the names of groups, and of projects. */
const namesMax = 16
const targetsMax = 30

/** `5 groups: team-web …`, `→ commenter, contributor, member  in 5 projects`, `24 changes, 110 people`, `teams/accounts.yaml · team-accounts` */
export function bundleParts(bundle: Bundle): BundleParts {
  const entries = bundle.flat()
  const common = (of: (entry: PlanEntry) => string | undefined): string | undefined => {
    const [value, ...others] = new Set(entries.map(of))
    return others.length === 0 ? value : undefined
  }
  const groups = [...new Set(entries.map(({ parts }) => parts.who))]
  const before = common(({ parts }) => parts.before)
  const short = groups.length === 1 ? (groups[0] ?? '') : counted(groups.length, 'group')
  return {
    short,
    who: groups.length === 1 ? short : `${short}: ${namesWithin(groups, namesMax)}`,
    ...(before === undefined ? {} : { before }),
    role: rolesText(entries),
    where: whereText(entries),
    fact: [isOneEach(entries, groups) ? '' : counted(entries.length, 'change'), remarksText(entries), peopleOf(entries)]
      .filter((part) => part !== '')
      .join(', '),
    reason: common(({ parts }) => parts.reason) ?? '',
    place: common(({ parts }) => parts.place) ?? placesText(entries),
  }
}

/** Whether the number of projects says the number of changes: one group has the same role in several projects, once in each. */
function isOneEach(entries: readonly PlanEntry[], groups: readonly string[]): boolean {
  const projects = new Set(entries.flatMap(({ target, parts }) => (target?.kind === 'project' ? [parts.target] : [])))
  return (
    groups.length === 1 &&
    projects.size > 1 &&
    projects.size === entries.length &&
    new Set(entries.map(({ parts }) => parts.role)).size === 1
  )
}

/** `undeclared`; `undeclared (30) and removed (5)` if not all have the same one. */
function remarksText(entries: readonly PlanEntry[]): string {
  const texts = Map.groupBy(entries, ({ parts: { remark = '' } }) => remark)
  const [first = '', ...others] = texts.keys()
  if (others.length === 0) return first
  const counts = [...texts].filter(([text]) => text !== '').toSorted(([, a], [, b]) => b.length - a.length)
  return listedFirst(
    counts.slice(0, remarksMax).map(([text, of]) => `${text} (${count(of.length)})`),
    counts.length,
  )
}

/** `→ member, guest`, the highest first; the arrow or sign of the first role stands for all. */
function rolesText(entries: readonly PlanEntry[]): string {
  const roles = [...new Set(entries.toSorted((a, b) => b.rank - a.rank).map(({ parts }) => parts.role))].filter((role) => role !== '')
  const [first = ''] = roles
  const more = roles.length > rolesMax ? `, ${counted(roles.length - rolesMax, 'more role')}` : ''
  return `${[first, ...roles.slice(1, rolesMax).map((role) => role.replace(/^[→=] /, ''))].join(', ')}${more}`
}

/** `workspace`, `ENG`, `18 projects: ADS, API …`; a row has one kind of target. */
function whereText(entries: readonly PlanEntry[]): string {
  const targets = [...new Set(entries.map(({ parts }) => parts.target))]
  const [first = ''] = targets
  return targets.length < 2 ? first : `${counted(targets.length, 'project')}: ${namesWithin(targets, targetsMax)}`
}

/** `teams/eng.yaml · team-eng`, `teams/ (20 files)`, `31 files`. A mapping that no rule declares is in no file. */
function placesText(entries: readonly PlanEntry[]): string {
  const files = [...new Set(entries.flatMap(({ because }) => because?.at.file ?? []))]
  const owners = new Set(entries.map(({ because }) => because?.owner))
  const [file = ''] = files
  if (files.length === 1) {
    const [owner] = owners
    return fileText(file) + (owners.size === 1 && owner !== undefined ? ` · ${ownerText(owner)}` : '')
  }
  const folders = new Set(files.map(folderOf))
  const [folder = ''] = folders
  return folders.size === 1 && folder !== '' ? `${fileText(folder)} (${counted(files.length, 'file')})` : counted(files.length, 'file')
}
