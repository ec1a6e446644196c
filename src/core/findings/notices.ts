import { type Directories, directoriesOf, whyUnread } from '../directories.ts'
import { type Finding } from '../finding.ts'
import { type Group, quotedGroup } from '../group.ts'
import { type GroupName } from '../mapping.ts'
import { type Unmatched } from '../matches.ts'
import { type MeantIds } from '../memory/meantIds.ts'
import { count, counted } from '../quantity.ts'
import { notesOf } from '../reading.ts'
import { type CompleteDirectory, completeDirectories } from '../resolve/lastGroupIds.ts'
import { comparePositions, placeText, positionText, type RenamedGroup, type Rule, type WorkspaceDeclaration } from '../rule.ts'
import { groupsById, renamedFindings } from './renamedGroups.ts'

/**
 * Findings about directories and renamed groups: at most one for each place, and all notes of the readings. Where most names of a directory changed, one
 * finding says so, and no edit of a rule is proposed.
 *
 * @param renamed what `renamedGroups` gives for the same declaration and directories
 * @param before the id that `directory/name` had in the last complete reading
 * @param meant `directory/name` → the ids that the texts of this declaration mean by it
 */
export function declarationFindings(
  declared: WorkspaceDeclaration,
  directories: Directories,
  renamed: readonly RenamedGroup[],
  before: (name: string) => string | undefined,
  meant: MeantIds = {},
): readonly Finding[] {
  const { rules, workspace } = declared
  const unchecked = directories.size === 0 ? rules.filter(({ from }) => from === undefined) : []
  const forms = new Map(
    completeDirectories(directories).flatMap((read) => {
      const [directory, index] = read
      const form = nameFormFinding(directory, knownGroups(rules, read, before, meant, groupsById(index)))
      return form === undefined ? [] : [[directory, form] as const]
    }),
  )
  const renames = renamedFindings(
    workspace,
    renamed.filter(({ directory }) => !forms.has(directory)),
  )
  const findings = [...unread(rules, directories), ...forms.values(), ...renames]
  return [
    ...(unchecked.length === 0 ? [] : [noDirectories(unchecked.reduce(firstOf))]),
    ...new Map(findings.map((finding) => [finding.place, finding])).values(),
    ...noted(directories),
  ]
}

const firstOf = (a: Rule, b: Rule): Rule => (comparePositions(b.because.at, a.because.at) < 0 ? b : a)

function noDirectories({ because: { at } }: Rule): Finding {
  return {
    code: 'no-directories',
    severity: 'info',
    place: positionText(at),
    sentence: 'the settings have no directory, so this program cannot check whether the groups exist',
    cure: 'add a directory to the settings, so that a mistyped group is held instead of sent',
  }
}

/** Patterns of a workspace were not matched, because that would cost too much. */
export const unmatchedFinding = ({ why, because, owners }: Unmatched): Finding => ({
  code: 'reading-incomplete',
  severity: 'warning',
  place: positionText(because.at),
  sentence: `${owners === undefined ? 'no pattern was matched' : `no pattern of ${[...owners].join(', ')} was matched`}: ${why}`,
  cure: 'existing mappings stay, and rules with exact names go on; use fewer or simpler patterns, or directories with fewer groups',
})

/** Each file that is not used. */
export const invalidFileFindings = ({ frozen = [] }: WorkspaceDeclaration): readonly Finding[] =>
  frozen.map(({ because: { at, owner }, why }) => ({
    code: 'file-invalid',
    severity: 'error',
    place: placeText(at),
    sentence: `${why}; nothing of this file${owner === undefined ? '' : ` of ${owner}`} is used, and what it names or gave is held`,
    cure: 'correct the file: plane-group-sync validate shows all its problems',
  }))

/** Incomplete directories that patterns use. An exact rule with such a directory is held; for a pattern it is unknown which names are missing. */
function unread(rules: readonly Rule[], directories: Directories): readonly Finding[] {
  const asked = rules.flatMap((rule) => (rule.groups.kind === 'pattern' ? directoriesOf(rule, directories) : []))
  return [...new Set(asked)].flatMap((name) => {
    const why = whyUnread(name, directories)
    if (why === undefined) return []
    const sentence = `${name} could not be read whole, so patterns may miss groups: ${why}`
    return [{ code: 'reading-incomplete', severity: 'warning', place: name, sentence }]
  })
}

/** The notes of the readings. */
const noted = (directories: Directories): readonly Finding[] =>
  [...directories].flatMap(([name, reading]) => notesOf(reading).map((note) => ({ ...note, place: name })))

/** The groups of a directory that the memory knows by an id, and that the directory has by one name. */
function knownGroups(
  rules: readonly Rule[],
  [directory, index]: CompleteDirectory,
  before: (name: string) => string | undefined,
  meant: MeantIds,
  byId: ReadonlyMap<string, Group>,
): readonly KnownGroup[] {
  const ids = new Map<string, GroupName>()
  const start = `${directory}/`
  for (const [name, known] of Object.entries(meant)) {
    if (name.startsWith(start)) for (const id of Object.keys(known)) ids.set(id, name.slice(start.length) as GroupName)
  }
  for (const { groups } of rules) {
    const id = groups.kind === 'exact' ? before(start + groups.name) : undefined
    if (id !== undefined && groups.kind === 'exact') ids.set(id, groups.name)
  }
  return [...ids].flatMap(([id, name]) => {
    const keepsName = index.get(name)?.some((group) => group.id === id) === true
    const now = keepsName ? name : byId.get(id)?.name
    return now === undefined ? [] : [{ before: name, now }]
  })
}

/** A group that the memory knows by its id: the name in the memory, and the name in the directory now. */
type KnownGroup = { readonly before: GroupName; readonly now: GroupName }

/** Nobody renames more than half of the groups at once. Fewer than three groups may be renamed together. */
const movedMin = 3

/**
 * One finding if most known groups of a directory have other names than before: a setting of the directory or a mapper of the identity provider makes the
 * names in another form, or someone renamed them all. The claim of a login may still have the former names. Who then writes the new names into the
 * file takes the access of everybody.
 *
 * @param known all groups of the directory that the memory knows, by whatever rules, and that the directory still has
 */
function nameFormFinding(directory: string, known: readonly KnownGroup[]): Finding | undefined {
  const moved = known.filter(({ before, now }) => before !== now)
  if (moved.length < movedMin || moved.length * 2 <= known.length) return undefined
  const byForm = Map.groupBy(moved, formOf)
  const [form = '', [example] = moved] = [...byForm].find(([, ofForm]) => ofForm.length * 2 > moved.length) ?? []
  const { before, now } = example as KnownGroup
  return {
    code: 'names-in-another-form',
    severity: 'warning',
    place: directory,
    sentence: `the names of ${count(moved.length)} of ${counted(known.length, 'known group')} of ${directory} come in another form${form === '' ? '' : `, ${form}`}: ${quotedGroup(before)} is ${quotedGroup(now)} now; mappings under the former names stay as they are`,
    cure: `if logins still send the former names, set groups.name of ${directory}, or the mapper that makes the names, back; if they send the new ones, see docs/renames.md, "The names of a directory come in another form"`,
  }
}

/** How the name of today is made of the former one, in words; empty if it is not made of it. */
function formOf({ before, now }: KnownGroup): string {
  if (before.normalize('NFKC') === now.normalize('NFKC')) return 'in another form of Unicode'
  if (before.toLowerCase() === now.toLowerCase()) return 'in another letter case'
  if (commonName(now) === before) return 'DNs in the place of names'
  if (commonName(before) === now) return 'names in the place of DNs'
  if (lastPart(now) === before) return 'paths in the place of names'
  if (lastPart(before) === now) return 'names in the place of paths'
  if (now.endsWith(before)) return `with "${now.slice(0, -before.length)}" before them`
  if (now.startsWith(before)) return `with "${now.slice(before.length)}" after them`
  if (before.endsWith(now)) return `without "${before.slice(0, -now.length)}" before them`
  if (before.startsWith(now)) return `without "${before.slice(now.length)}" after them`
  return ''
}

const commonName = (name: string): string | undefined => /^[A-Za-z][\w.-]*=((?:[^,\\]|\\.)*),/u.exec(name)?.[1]?.replaceAll(/\\(.)/gu, '$1')
const lastPart = (name: string): string | undefined => (name.includes('/') ? name.slice(name.lastIndexOf('/') + 1) : undefined)
