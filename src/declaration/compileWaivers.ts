import type { GroupSync } from '../core/groupSync.ts'
import { type GroupName, keyOf, type Role, type WorkspaceName } from '../core/mapping.ts'
import type { DeclaredWaiver } from '../core/rule.ts'
import type { DescribedChange, WaiverWords } from '../core/waiverWords.ts'
import { type Path, position, type YamlDocument } from '../yaml/document.ts'
import { fixedTargets } from './compileSelectors.ts'
import { spanOf } from './moment.ts'
import type { LenientFile } from './schema.ts'
import { noMapping, type WaiverEntry } from './waiverSchema.ts'

/** Compiles the waivers of one workspace. Lists of groups and of projects multiply out, so an entry becomes one waiver with many changes. */
export function compileWaivers(
  document: YamlDocument,
  workspace: WorkspaceName,
  content: LenientFile['workspaces'][string],
  fileOwner: string | undefined,
): readonly DeclaredWaiver[] {
  return Array.from(waiversIn(workspace, content), ({ entry, path }) => {
    const { reason, owner = fileOwner } = entry
    const at = position(document, path)
    // The schema has refused every other text.
    const untilMs = spanOf(entry.until)?.toMs ?? Number.NEGATIVE_INFINITY
    return { words: wordsOf(entry, workspace), untilMs, because: { at, reason, ...(owner === undefined ? {} : { owner }) } }
  })
}

function wordsOf(entry: WaiverEntry, workspace: WorkspaceName): WaiverWords {
  const { people } = entry
  const changes = describedIn(entry, []).flatMap(({ change }) => changesOf(change, workspace))
  return people === undefined ? { changes } : { changes, people }
}

function changesOf(change: Described, workspace: WorkspaceName): readonly DescribedChange[] {
  if (change.groupSync !== undefined) return [settingsOf(change.groupSync)]
  const content = contentOf(change)
  const targets = fixedTargets(change)
  return [change.group ?? []]
    .flat()
    .flatMap((group) => targets.map((target) => ({ key: keyOf(workspace, target, group as GroupName), ...content })))
}

function contentOf({ from, to, previously, id }: Described): Omit<Extract<DescribedChange, { readonly key: unknown }>, 'key'> {
  return {
    // The schema asks for both beside a group.
    ...(from === noMapping ? {} : { before: from as Role | null }),
    ...(to === noMapping ? {} : { after: to as Role }),
    ...(previously === undefined ? {} : { fromGroup: previously as GroupName }),
    ...(id === undefined ? {} : { groupId: id }),
  }
}

/** Only the default role has the value null. Another setting without a value is absent. */
function settingsOf(steps: NonNullable<Described['groupSync']>): DescribedChange {
  const present = Object.entries(steps).flatMap(([name, step]) => (step === undefined ? [] : [[name, step] as const]))
  const before = present
    .filter(([name, { from }]) => from !== null || name === 'defaultWorkspaceRole')
    .map(([name, { from }]) => [name, from])
  const after = present.map(([name, { to }]) => [name, to])
  return { before: Object.fromEntries(before) as GroupSync, after: Object.fromEntries(after) as GroupSync }
}

/** A change as an entry describes it: the entry itself, or one of its `changes`. */
type Described = NonNullable<WaiverEntry['changes']>[number]

const describedIn = (entry: WaiverEntry, path: Path): readonly { readonly change: Described; readonly path: Path }[] =>
  entry.changes?.map((change, index) => ({ change, path: [...path, 'changes', index] })) ?? [{ change: entry, path }]

/** How many changes an entry describes: its lists multiply. */
export const describedCount = (entry: WaiverEntry): number =>
  describedIn(entry, []).reduce((sum, { change: { group = '', project = '' } }) => sum + [group].flat().length * [project].flat().length, 0)

/** The valid waivers of a workspace in a file, each with its path. */
export function* waiversIn(
  name: string,
  { waivers = [] }: LenientFile['workspaces'][string],
): Generator<{
  readonly entry: WaiverEntry
  readonly path: Path
}> {
  for (const [index, entry] of waivers.entries()) if (entry !== undefined) yield { entry, path: ['workspaces', name, 'waivers', index] }
}

/** The roles that waivers let pass, each with its place. The role before a change may be any: a mapping can have a role that the settings do not name. */
export function* waivedRoles(
  name: string,
  content: LenientFile['workspaces'][string],
): Generator<{ readonly role: string; readonly path: Path }> {
  for (const { entry, path: at } of waiversIn(name, content))
    for (const { change, path } of describedIn(entry, at)) {
      if (change.to !== undefined && change.to !== noMapping) yield { role: change.to, path: [...path, 'to'] }
      const byDefault = change.groupSync?.defaultWorkspaceRole?.to
      if (typeof byDefault === 'string') yield { role: byDefault, path: [...path, 'groupSync', 'defaultWorkspaceRole', 'to'] }
    }
}
