import { compare } from '../compare.ts'
import { type Dates, isOver } from '../dates.ts'
import { type Directories, groupsOf } from '../directories.ts'
import type { Finding } from '../finding.ts'
import { quotedGroup } from '../group.ts'
import type { GroupName } from '../mapping.ts'
import { type Matches, patternId } from '../matches.ts'
import { didYouMean } from '../nearest.ts'
import { counted, listedFirst } from '../quantity.ts'
import { comparePositions, type Position, positionText, type Rule, type Unmanaged, type WorkspaceDeclaration } from '../rule.ts'
import { unsafeName } from '../safeName.ts'

const shownMax = 10

/** A name in `except`. `matched`: the names of directories and mappings that the pattern matches. */
type Unused = {
  readonly at: Position
  readonly name: GroupName
  readonly others: ReadonlySet<GroupName>
  readonly matched: ReadonlyMap<GroupName, unknown>
}

/**
 * A finding about names in `except` that neither a directory nor a mapping has. The directories of such an entry were read completely. The group may not
 * exist yet, so the finding only informs. If the name is misspelt, the pattern gives its role to the group that was meant.
 */
export function unusedExceptionFindings(
  { rules, unmanaged }: Pick<WorkspaceDeclaration, 'rules' | 'unmanaged'>,
  directories: Directories,
  matches: Matches,
  dates: Dates,
): readonly Finding[] {
  const unused = new Map<string, Unused>()
  for (const entry of [...rules.filter((rule) => !mayBeOver(rule, dates)), ...unmanaged])
    for (const one of unusedIn(entry, directories, matches)) unused.set(`${positionText(one.at)} ${one.name}`, one)
  const [first, ...others] = [...unused.values()].toSorted((a, b) => comparePositions(a.at, b.at) || compare(a.name, b.name))
  if (first === undefined) return []
  const shown = [first, ...others].slice(0, shownMax).map(unusedText)
  return [
    {
      code: 'except-unused',
      severity: 'info',
      place: positionText(first.at),
      sentence: `${counted(unused.size, 'name in "except" leaves', 'names in "except" leave')} out no group: ${listedFirst(shown, unused.size)}`,
      cure: 'if a group is meant, compare the name with those of the directory: plane-group-sync groups',
    },
  ]
}

/** Also if the two clocks disagree whether the rule has ended. */
const mayBeOver = ({ expiresMs }: Rule, dates: Dates): boolean => expiresMs !== undefined && isOver(expiresMs, dates) !== 'no'

function* unusedIn(entry: Rule | Unmanaged, directories: Directories, matches: Matches): Generator<Unused> {
  const { groups, because } = entry
  // An entry of `unmanaged` is about the groups of all directories.
  if (groups.kind === 'exact' || groups.except.size === 0 || groupsOf('from' in entry ? entry : {}, directories) === undefined) return
  const matched = matches.get(patternId(groups.pattern))
  if (matched === undefined) return
  for (const name of groups.except) if (!matched.has(name)) yield { at: because.at, name, others: groups.except, matched }
}

function unusedText({ at, name, others, matched }: Unused): string {
  const near = didYouMean(
    name,
    matched.keys().filter((one) => !others.has(one) && unsafeName(one) === undefined),
  ).trimEnd()
  return `${quotedGroup(name)} (${positionText(at)}${near === '' ? '' : `, ${near}`})`
}
