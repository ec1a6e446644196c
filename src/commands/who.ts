import { compare } from '../core/compare.ts'
import type { Hold } from '../core/hold.ts'
import type { Key } from '../core/mapping.ts'
import { defined } from '../core/optionalFields.ts'
import { rolesOfPerson } from '../core/people/personRoles.ts'
import type { Plan } from '../core/plan.ts'
import type { Provenance } from '../core/rule.ts'
import { stoppedText, type WorkspaceReport } from '../cycle/cycleReport.ts'
import { openDirectoryReadings } from '../cycle/directoryReadings.ts'
import { openPersonSearch, type PersonGroups } from '../cycle/findPerson.ts'
import type { Reader } from '../cycle/readExisting.ts'
import { memberReaders } from '../cycle/readPeople.ts'
import { invalidDeclarationText } from '../render/invalidDeclaration.ts'
import type { FailedView } from '../render/view.ts'
import { whoJson } from '../render/whoJson.ts'
import { isKnownWhole, type PersonView, whoText } from '../render/whoText.ts'
import { type Command, choice, exitCodes, UsageError } from './command.ts'
import { groupFormats } from './description.ts'
import { failure } from './errorReport.ts'
import { dryCycle, openProgram } from './open.ts'
import { failuresText } from './render.ts'
import { hasColours } from './terminal.ts'
import { onlyWorkspaces } from './workspaces.ts'

export const command: Command = {
  async run({ values, positionals: [person], terminal, signal }) {
    const format = choice('format', values.format, groupFormats, 'text')
    if (person === undefined || person.trim() === '')
      throw new UsageError('who takes a person, as the directories know people: plane-group-sync who ann@example.com')
    await using open = await openProgram(values, terminal, [], signal)
    const { sources } = open.program
    const readers = memberReaders(sources.directories)
    if ([...readers.values()].every((reader) => reader === undefined))
      throw new UsageError('no directory of these settings says who the members of groups are', {
        cure: 'add `people` to the settings of a directory; in the file of a directory of the kind file, write `members` at each group',
      })
    const reader = new Map([...sources.bindings.values()].flat().map(({ workspace, read }) => [workspace, read] as const))
    const search = openPersonSearch(person, sources.countPeople, {
      readers,
      directories: (names, until) => openDirectoryReadings(sources.directories, () => open.memory, undefined, until).of(names),
      mappings: (workspace, list, until) => (reader.get(workspace) as Reader).mappings(list, until),
    })
    const only = onlyWorkspaces(values, open.loaded.settings)
    const report = await dryCycle(open, { only, listsUnchanged: true, countPeople: search.countPeople }, signal)
    const groupsByWorkspace = await search.find(signal)
    const views = report.workspaces.map((workspace) => viewOf(workspace, groupsByWorkspace.get(workspace.workspace)))
    const colour = hasColours(terminal.env, terminal.isTerminal.out, values)
    terminal.out(format === 'json' ? `${whoJson(person, views)}\n` : whoText(person, views, { colour, width: terminal.columns }))
    terminal.err(failuresText(report, terminal))
    // The document has no place for it.
    if (terminal.isTerminal.out && report.declaration.kept !== undefined) terminal.err(`${invalidDeclarationText(report.declaration)}\n`)
    const isKnown = views.every((view) => !('failed' in view) && isKnownWhole(view))
    return isKnown && !signal.aborted ? exitCodes.done : exitCodes.failed
  },
}

function viewOf(workspace: WorkspaceReport, personGroups: PersonGroups | undefined): PersonView | FailedView {
  const { about } = workspace
  if (workspace.kind === 'failed') return { about, ...failure(workspace.error) }
  if (workspace.kind === 'stopped' || personGroups === undefined) return { about, failed: stoppedText }
  const { plan } = workspace.judged
  return {
    about,
    groups: [...personGroups.groups].toSorted(compare),
    unknown: personGroups.unknown,
    unread: personGroups.unread,
    labels: personGroups.labels,
    findings: personGroups.findings,
    ...defined({ hint: personGroups.hint }),
    roles: rolesOfPerson(workspace.workspace, personGroups.groups, personGroups.existing, plan.changes, personGroups.roles),
    rules: rulesIn(plan),
    held: plan.holds.filter((hold) => hold.group !== undefined && personGroups.groups.has(hold.group) && isWaiting(hold)),
  }
}

/** Whether the hold keeps a role from being given, changed or taken away. Undeclared mappings that stay are no such hold. */
const isWaiting = ({ reason, change, would }: Hold): boolean =>
  reason.kind !== 'undeclared' &&
  (change !== undefined || would?.action === 'create' || would?.action === 'patch' || would?.action === 'delete')

/** The key of each mapping that a rule names, with the rule. */
function rulesIn({ changes, holds, unchangedMappings = [] }: Plan): ReadonlyMap<Key, Provenance> {
  const rules = new Map<Key, Provenance>()
  for (const { key, because } of [...holds, ...unchangedMappings, ...changes]) if (because !== undefined) rules.set(key, because)
  return rules
}
