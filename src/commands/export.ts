import { listText } from '../core/existing.ts'
import { lists, type Mapping, type WorkspaceName } from '../core/mapping.ts'
import { OperationalError } from '../core/operationalError.ts'
import { knownRoles } from '../core/roles.ts'
import { stoppedText } from '../cycle/cycleReport.ts'
import { listUnread, type Reader } from '../cycle/readExisting.ts'
import { printDeclaration } from '../declaration/print.ts'
import { invalidDeclarationText } from '../render/invalidDeclaration.ts'
import { type Command, exitCodes, UsageError } from './command.ts'
import { dryCycle, type Open, openProgram } from './open.ts'
import { onlyWorkspaces } from './workspaces.ts'

export const command: Command = {
  async run({ values, terminal, signal }) {
    await using open = await openProgram(values, terminal, [], signal)
    const workspace = oneOf([...open.program.sources.bindings.values()].flat(), onlyWorkspaces(values, open.loaded.settings))
    const undeclared = values.undeclared === true
    const mappings = undeclared ? await undeclaredOf(open, workspace.workspace, signal) : await allOf(workspace.read, signal)
    terminal.out(
      printDeclaration(workspace.workspace, mappings, {
        lists: undeclared ? 'needed' : 'every',
        roles: knownRoles(open.loaded.settings.roles),
      }),
    )
    return exitCodes.done
  },
}

/** @throws {UsageError} unless exactly one workspace is selected; one exported file has one workspace */
function oneOf<T extends { readonly workspace: WorkspaceName }>(candidates: readonly T[], only: ReadonlySet<WorkspaceName> | undefined): T {
  const [chosen, ...more] = candidates.filter(({ workspace }) => only?.has(workspace) !== false)
  if (chosen !== undefined && more.length === 0) return chosen
  throw new UsageError('export takes one workspace', {
    cure: `add --workspace with one of ${candidates.map(({ workspace }) => workspace).join(', ')}`,
  })
}

/** @throws if a list is incomplete: under `sync`, a declaration of half the list would delete the other half */
async function allOf(read: Reader, signal: AbortSignal): Promise<readonly Mapping[]> {
  const readings = await Promise.all(lists.map(async (list) => [list, await read.mappings(list, signal)] as const))
  return readings.flatMap(([list, reading]) => {
    if (reading.status === 'complete') return reading.value
    if (reading.status === 'failed') throw listUnread(listText(list), reading)
    throw notExported(`${listText(list)} were not read whole: ${reading.missing}`)
  })
}

async function undeclaredOf(open: Open, workspace: WorkspaceName, signal: AbortSignal): Promise<readonly Mapping[]> {
  const { workspaces, declaration } = await dryCycle(open, { only: new Set([workspace]) }, signal)
  // What an invalid file declares looks undeclared.
  if (declaration.kept !== undefined) throw notExported(invalidDeclarationText(declaration))
  return workspaces.flatMap((report) => {
    if (report.kind === 'failed') throw report.error
    if (report.kind === 'stopped') throw notExported(stoppedText, 'export again')
    const { changes, holds, findings } = report.judged.plan
    const unread = findings.find(({ code }) => code === 'reading-incomplete')
    if (unread !== undefined) throw notExported(unread.sentence, unread.cure)
    return [...changes, ...holds.flatMap(({ change }) => change ?? [])].flatMap((change) =>
      change.action === 'delete' && change.why === 'undeclared'
        ? [{ id: change.mapping, key: change.key, group: change.group, target: change.target, role: change.before }]
        : [],
    )
  })
}

const notExported = (why: string, cure = 'repair this, then export again'): OperationalError =>
  new OperationalError('NotExported', `not exported: ${why}`, { cure })
