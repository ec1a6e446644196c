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
 * with such a name, so a person decides.
 *
 * @param known the names of the groups that the directories have
 */
export function proposedPatterns(mappings: readonly Mapping[], known: Iterable<GroupName>): readonly Proposal[] {
  const names = [...new Set(known)].toSorted(compare)
  const byPlace = Map.groupBy(mappings, ({ target, role }) => JSON.stringify([target, role]))
  return [...byPlace.values()].flatMap((ofPlace) => proposalsFor(ofPlace, names)).slice(0, proposalsMax)
}

function proposalsFor(mappings: readonly Mapping[], names: readonly GroupName[]): readonly Proposal[] {
  const [first] = mappings
  if (first === undefined || first.role === null) return []
  const { target, role } = first
  const groups = mappings.map(({ group }) => group)
  const present = new Set(groups)
  const globs = new Set(groups.flatMap(globsOf))
  const proposals = [...globs].flatMap((glob): readonly Proposal[] => {
    const matches = matcherOf(glob)
    const covered = matches === undefined ? [] : groups.filter(matches)
    if (matches === undefined || covered.length < 2) return []
    return [{ target, role, glob, for: covered, adds: names.filter((name) => matches(name) && !present.has(name)) }]
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
