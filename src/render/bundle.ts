import { count, counted, listedFirst } from '../core/quantity.ts'
import { type ChangeParts, symbols } from './change.ts'
import type { PlanEntry } from './entry.ts'
import { type Fold, namesWithin } from './fold.ts'
import { peopleOf } from './totals.ts'
import { fileText, ownerText } from './width.ts'

/** The folds of one row. If there are several, the row says what they have in common, and counts the rest. */
export type Bundle = readonly [Fold, ...Fold[]]

/** What the folds of a bundle have in common: the fold itself, the rule, the role with the file, the folder or the kind of change, the kind alone. */
const levels = ['fold', 'rule', 'file', 'folder', 'kind', 'all'] as const
type Level = (typeof levels)[number]

/** The kinds of changes in the order of a review: those that take rights away or change them come before those that only add some. */
const reviewOrder = [symbols.settings, symbols.delete, symbols.lower, symbols.other, symbols.raise, symbols.rename, symbols.create].map(
  ({ symbol }) => symbol,
)

/** The share of `rowsMax` that bundles take: a plan that is too long to be read row by row is read as a summary. */
const bundlesShare = 0.35

/**
 * One bundle for each fold if they fit into `rowsMax` rows. Otherwise fewer: while there are too many, the kind with the most bundles is bundled more
 * widely, first the groups of one rule, then the rules of one file, then the files of one folder. Bundles of several rules have one role, and the
 * highest role comes first. Roles share a bundle only if there would be more than twice `rowsMax` bundles. Every fold is in exactly one bundle.
 */
export function bundles(folds: readonly Fold[], rowsMax: number): readonly Bundle[] {
  const byKind = Map.groupBy(folds, ([{ mark }]) => mark.symbol)
  const inOrder = [...byKind].toSorted(([a], [b]) => reviewOrder.indexOf(a) - reviewOrder.indexOf(b))
  const kinds = inOrder.map(([, alike]) => ({ alike, level: 0, rows: bundled(alike, 'fold') }))
  const widen = (bundlesMax: number, last: Level) => {
    while (kinds.reduce((sum, { rows }) => sum + rows.length, 0) > bundlesMax) {
      const [widest] = kinds.filter(({ level }) => level < levels.indexOf(last)).toSorted((a, b) => b.rows.length - a.rows.length)
      if (widest === undefined) break
      widest.level += 1
      widest.rows = bundled(widest.alike, levels[widest.level] ?? last)
    }
  }
  widen(folds.length <= rowsMax ? rowsMax : Math.floor(rowsMax * bundlesShare), 'kind')
  widen(2 * rowsMax, 'all')
  return kinds.flatMap(({ rows, level }) => (level === 0 ? rows : rows.toSorted(([[a]], [[b]]) => b.rank - a.rank)))
}

function bundled(folds: readonly Fold[], level: Level): readonly Bundle[] {
  if (level === 'fold') return folds.map((fold) => [fold])
  const bundles = new Map<string, [Fold, ...Fold[]]>()
  for (const fold of folds) {
    const name = nameAt(level, fold)
    const known = bundles.get(name)
    if (known === undefined) bundles.set(name, [fold])
    else known.push(fold)
  }
  return [...bundles.values()]
}

function nameAt(level: Exclude<Level, 'fold'>, [{ parts, target, because, why }]: Fold): string {
  switch (level) {
    case 'rule':
      return JSON.stringify([parts.place, parts.before, parts.role, parts.reason, target?.kind, why])
    case 'file':
      return JSON.stringify([because?.at.file, because?.owner, parts.before, parts.role])
    case 'folder':
      return JSON.stringify([folderOf(because?.at.file), parts.role])
    case 'kind':
      return parts.role
    case 'all':
      return ''
    default:
      return level satisfies never
  }
}

/** `teams/` of `teams/eng.yaml`; empty for a file that lies in no folder, and for a mapping that no rule declares. */
const folderOf = (file = ''): string => file.slice(0, file.lastIndexOf('/') + 1)

/** The cells of a row for several folds. `short`: the groups without names. `where`: `workspace, 40 projects`. */
type BundleParts = Omit<ChangeParts, 'target'> & { readonly short: string; readonly where: string }

const rolesMax = 6
const remarksMax = 3
/** Characters for the names of groups. */
const namesMax = 16

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

function whereText(entries: readonly PlanEntry[]): string {
  const projects = [...new Set(entries.flatMap(({ target, parts }) => (target?.kind === 'project' ? [parts.target] : [])))]
  const kinds = new Set(entries.map(({ target }) => target?.kind))
  const texts = [
    ...(kinds.has('workspace') ? ['workspace'] : []),
    ...(kinds.has('allProjects') ? ['all projects'] : []),
    ...(projects.length < 2 ? projects : [counted(projects.length, 'project')]),
  ]
  return texts.join(', ')
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
