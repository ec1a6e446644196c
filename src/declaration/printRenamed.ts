import { type Target, targetText, type WorkspaceName } from '../core/mapping.ts'
import { isoTime, listed } from '../core/quantity.ts'
import { positionText, type RenamedGroup } from '../core/rule.ts'
import { visible } from '../core/safeName.ts'
import type { Defaults } from './compile.ts'
import { endOfDayMs } from './moment.ts'
import { document, scalar, targetWords } from './print.ts'

/**
 * Prints the rules of renamed groups with the new names and `previously`, each below a comment that names its place. A rule is printed with all its
 * words, so that nothing of it is lost in another file. A rule that cannot have the new name is a comment.
 *
 * @param defaults the values of the settings for words that a rule leaves out
 */
export function printRenamed(workspace: WorkspaceName, renamed: readonly RenamedGroup[], defaults: Defaults): string {
  // One name of an entry with several projects is several rules, of which not all may be able to have the new name. Two directories may call it the same now.
  const alike = ({ rule, now, canRename, note }: RenamedGroup) => JSON.stringify([rule.because.at, now, canRename, note])
  const entries = [...Map.groupBy(renamed, alike).values()]
  const lists = Map.groupBy(entries, ([first]) => (first?.target.kind === 'workspace' ? 'workspaceRoles' : 'projectRoles'))
  const owners = new Set(renamed.map(({ rule }) => rule.because.owner))
  const [owner] = owners.size === 1 ? owners : []
  const body = (['workspaceRoles', 'projectRoles'] as const).flatMap((list) => {
    const lines = (lists.get(list) ?? []).flatMap((entry) => linesOf(entry, defaults, owner))
    const hasRule = lines.some((line) => !line.startsWith(comment))
    return hasRule ? [`    ${list}:`, ...lines] : lines
  })
  const fenced = renamed.some(({ rule }) => rule.fenced === true) ? [fencedHeading] : []
  const head = renamed.length === 0 ? [] : [...heading, ...fenced, ...(owner === undefined ? [] : [`owner: ${scalar(owner)}`])]
  return [...head, document(workspace, body)].join('\n')
}

const heading = [
  '# The directory has other names for these groups. First look in the claim of a login which names it has.',
  '# If they are the new ones, put each rule in the place that its comment names. A list of groups loses the name, and keeps the others.',
]
const fencedHeading =
  '# Inside a fence that does not allow "previously", leave this word out: then the mapping is made anew, and the former one deleted.'

const comment = '      #'

/** @param fileOwner the owner that the printed file says for all its rules */
function linesOf(entry: readonly RenamedGroup[], defaults: Defaults, fileOwner: string | undefined): readonly string[] {
  const [first] = entry
  if (first === undefined) return []
  const { rule, directory, was, canRename, note } = first
  const targets = [...new Map(entry.map(({ target }) => [targetText(target), target])).values()]
  const where = canRename === 'no' ? ` in ${listed(targets.map(targetText))}` : ''
  const place = `${comment} ${visible(`${was} of ${directory}${where}, ${positionText(rule.because.at)}`)}`
  const about = note === undefined ? place : `${place}: ${visible(note)}`
  if (canRename === 'no') return [about]
  const [head = '', ...words] = wordsOf(first, targets, defaults, fileOwner)
  return [about, `      - ${head}`, ...words.map((word) => `        ${word}`)]
}

function wordsOf(
  { rule, was, now }: RenamedGroup,
  targets: readonly Target[],
  defaults: Defaults,
  fileOwner: string | undefined,
): readonly string[] {
  const { role, from, allowProtected, unknownGroups, unknownProjects, startsMs, expiresMs, label, because } = rule
  const [directory, ...more] = from ?? []
  const word = (name: string, value: string | undefined) => (value === undefined ? [] : [`${name}: ${value}`])
  const text = (value: string | undefined) => (value === undefined ? undefined : scalar(value))
  return [
    `group: ${scalar(now)}`,
    `previously: ${scalar(was)}`,
    ...targetWords(targets),
    ...(role.kind === 'fixed' ? [`role: ${scalar(role.role)}`] : []),
    ...word('from', more.length === 0 ? text(directory) : `[${(from ?? []).map(scalar).join(', ')}]`),
    ...(allowProtected ? ['allowProtected: true'] : []),
    ...(unknownGroups === defaults.unknownGroups ? [] : [`unknownGroups: ${unknownGroups}`]),
    // In a project that is named, `skip` of the settings means `hold`.
    ...(unknownProjects !== (defaults.unknownProjects === 'skip' ? 'hold' : defaults.unknownProjects)
      ? [`unknownProjects: ${unknownProjects}`]
      : []),
    ...word('starts', startsMs === undefined ? undefined : momentWord(startsMs)),
    ...word('expires', expiresMs === undefined ? undefined : lastWord(expiresMs)),
    ...word('label', text(label)),
    ...word('reason', text(because.reason)),
    ...word('owner', because.owner === fileOwner ? undefined : text(because.owner)),
  ]
}

/** A moment as a declaration says it. */
const momentWord = (atMs: number): string => `${isoTime(atMs)?.slice(0, 19) ?? ''}Z`.replace('T00:00:00Z', '')

/** The end of a rule: its last day, or the moment. */
const lastWord = (endMs: number): string => (endOfDayMs(endMs - 1) === endMs ? (isoTime(endMs - 1)?.slice(0, 10) ?? '') : momentWord(endMs))
