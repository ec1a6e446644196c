import { compare } from '../core/compare.ts'
import { type GroupName, type Mapping, presentRole, type Role, type Target, targetText } from '../core/mapping.ts'
import { counted, listedFirst } from '../core/quantity.ts'
import { oneLine } from '../core/safeName.ts'
import { compileGlob } from './pattern.ts'
import { scalar, targetWords } from './print.ts'

/** A glob that stands for several mappings of one target and role. `adds`: the groups of the directory that it would add today. */
type Proposal = {
  readonly target: Target
  readonly role: Role
  readonly glob: string
  readonly for: readonly GroupName[]
  readonly adds: readonly GroupName[]
}

const namesShown = 8
const proposalsMax = 50
/** A shorter beginning says little. */
const beginningMin = 3

/**
 * Globs for groups with a common beginning or end, up to a sign that separates words. Nothing uses them: a pattern gives its role to each group that anyone makes
 * with such a name, so a person decides. A pattern gives nothing to a group that no directory has, so it stands for none of these.
 *
 * @param known the names of the groups that the directories have
 */
export function proposedPatterns(mappings: readonly Mapping[], known: Iterable<GroupName>): readonly Proposal[] {
  const all = new Set(known)
  const names = [...all].toSorted(compare)
  const present = mappings.filter(({ group }) => all.has(group))
  const byPlace = Map.groupBy(present, ({ target, role }) => JSON.stringify([target, role]))
  const byTarget = Map.groupBy(mappings, ({ target }) => JSON.stringify(target))
  return [...byPlace.values()]
    .flatMap((ofPlace) =>
      proposalsFor(ofPlace, new Set(byTarget.get(JSON.stringify(ofPlace[0]?.target))?.map(({ group }) => group)), names),
    )
    .slice(0, proposalsMax)
}

/** @param ruled the groups with an exact rule for the same target, of any role: it goes before a pattern */
function proposalsFor(mappings: readonly Mapping[], ruled: ReadonlySet<GroupName>, names: readonly GroupName[]): readonly Proposal[] {
  const [first] = mappings
  if (first === undefined || first.role === null) return []
  const { target, role } = first
  const groups = mappings.map(({ group }) => group)
  const globs = new Set(groups.flatMap(globsOf))
  const proposals = [...globs].flatMap((glob): readonly Proposal[] => {
    const matches = matcherOf(glob)
    const covered = matches === undefined ? [] : groups.filter(matches)
    if (matches === undefined || covered.length < 2) return []
    return [{ target, role, glob, for: covered, adds: names.filter((name) => matches(name) && !ruled.has(name)) }]
  })
  // Of globs for the same groups, the one that adds least.
  const best = Map.groupBy(proposals, (proposal) => proposal.for.join('\n'))
  return [...best.values()].flatMap(
    (same) => same.toSorted((a, b) => a.adds.length - b.adds.length || b.glob.length - a.glob.length)[0] ?? [],
  )
}

/** `eng-dev-web` → `eng-*`, `eng-dev-*`, `*-web`, `*-dev-web`. */
function globsOf(group: GroupName): readonly string[] {
  if (/[*?[\]{}]/.test(group)) return []
  const cuts = Array.from(group.matchAll(/[-_./ :]/g), ({ index }) => index)
  return cuts.flatMap((at) => [
    ...(at + 1 >= beginningMin ? [`${group.slice(0, at + 1)}*`] : []),
    ...(group.length - at >= beginningMin ? [`*${group.slice(at)}`] : []),
  ])
}

function matcherOf(glob: string): ((name: GroupName) => boolean) | undefined {
  const compiled = compileGlob(glob)
  return 'fault' in compiled ? undefined : (name) => compiled.matches(name) !== undefined
}

/** The proposals as comments of YAML; empty without any. */
export function patternComments(proposals: readonly Proposal[]): string {
  if (proposals.length === 0) return ''
  const lines = proposals.flatMap(({ target, role, glob, for: covered, adds }) => [
    `- groupGlob: ${scalar(glob)} # for ${counted(covered.length, 'group')} above in ${oneLine(targetText(target), 60)}; ${addsText(adds)}`,
    ...targetWords([target]).map((words) => `  ${words}`),
    `  role: ${scalar(presentRole(role))}`,
  ])
  return [
    '',
    'A pattern can stand for several of these rules. It also gives the role to each group that anyone makes with such a name later.',
    'To use one, put it in place of the rules, under the same list. What it would add today:',
    ...lines,
  ]
    .map((line) => (line === '' ? '#' : `# ${line}`))
    .concat('')
    .join('\n')
}

function addsText(adds: readonly GroupName[]): string {
  if (adds.length === 0) return 'adds none today'
  const shown = adds.slice(0, namesShown).map((name) => oneLine(name, 60))
  return `adds ${counted(adds.length, 'group')} today: ${listedFirst(shown, adds.length)}`
}
