import { listText } from '../core/existing.ts'
import { lists, type Mapping, type WorkspaceName } from '../core/mapping.ts'
import { OperationalError } from '../core/operationalError.ts'
import type { Plan } from '../core/plan.ts'
import { knownRoles } from '../core/roles.ts'
import type { ReportedBinding } from '../cycle/cycle.ts'
import { stoppedText } from '../cycle/cycleReport.ts'
import { listUnread, type Reader } from '../cycle/readExisting.ts'
import { printDeclaration } from '../declaration/print.ts'
import { printRemoved } from '../declaration/printRemoved.ts'
import { printRenamed } from '../declaration/printRenamed.ts'
import { invalidDeclarationText } from '../render/invalidDeclaration.ts'
import type { Settings } from '../settings/schema.ts'
import { type Command, exitCodes, UsageError } from './command.ts'
import { dryCycle, type Open, openProgramOf } from './open.ts'
import { requireNoSecretIn } from './secretInDocument.ts'
import { openSettings } from './settings.ts'
import { onlyWorkspaces } from './workspaces.ts'

/** What is printed in place of all mappings. */
const parts = ['undeclared', 'removed', 'renamed'] as const

export const command: Command = {
  async run({ values, terminal, signal }) {
    const [part, other] = parts.filter((name) => values[name] === true)
    if (other !== undefined) throw new UsageError(`--${part} and --${other} print different parts: give one of them`)
    const loaded = await openSettings(values, terminal, signal, 'environment')
    if (part !== undefined && loaded.lacksDeclaration === true)
      throw new UsageError(`--${part} compares Plane with a declaration, and without a settings file there is none`, {
        cure: `leave out --${part} to print all that exists`,
      })
    await using open = await openProgramOf(loaded, values, terminal, [], signal)
    const { settings } = loaded
    const workspace = oneOf([...open.program.sources.bindings.values()].flat(), onlyWorkspaces(values, settings))
    const printed =
      part === undefined ? await printAll(workspace, settings, signal) : await printPart(part, workspace.workspace, open, signal)
    requireNoSecretIn(printed, 'the export', terminal.secrets)
    terminal.out(printed)
    return exitCodes.done
  },
}

const printAll = async ({ workspace, read }: ReportedBinding, { roles }: Settings, signal: AbortSignal): Promise<string> =>
  printDeclaration(workspace, await allMappings(read, signal), { lists: 'every', roles: knownRoles(roles) })

async function printPart(part: (typeof parts)[number], workspace: WorkspaceName, open: Open, signal: AbortSignal): Promise<string> {
  const { settings } = open.loaded
  const plan = await planOf(open, workspace, signal)
  switch (part) {
    case 'undeclared':
      return printDeclaration(workspace, undeclaredOf(plan), { lists: 'needed', roles: knownRoles(settings.roles) })
    case 'removed':
      return printRemoved(workspace, undeclaredOf(plan), settings.roles)
    case 'renamed':
      return printRenamed(workspace, plan.renamed ?? [], settings)
    default:
      return part satisfies never
  }
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
export async function allMappings(read: Reader, signal: AbortSignal): Promise<readonly Mapping[]> {
  const readings = await Promise.all(lists.map(async (list) => [list, await read.mappings(list, signal)] as const))
  return readings.flatMap(([list, reading]) => {
    if (reading.status === 'complete') return reading.value
    if (reading.status === 'failed') throw listUnread(listText(list), reading)
    throw notExported(`${listText(list)} were not read whole: ${reading.missing}`)
  })
}

/** @throws {OperationalError} if the plan does not know what is undeclared or renamed, because something was not read whole */
async function planOf(open: Open, workspace: WorkspaceName, signal: AbortSignal): Promise<Plan> {
  const { workspaces, declaration } = await dryCycle(open, { only: new Set([workspace]) }, signal)
  // What an invalid file declares looks undeclared.
  if (declaration.kept !== undefined) throw notExported(invalidDeclarationText(declaration))
  const [report] = workspaces
  if (report === undefined || report.kind === 'stopped') throw notExported(stoppedText, 'export again')
  if (report.kind === 'failed') throw report.error
  const { plan } = report.judged
  const unread = plan.findings.find(({ code }) => code === 'reading-incomplete')
  if (unread !== undefined) throw notExported(unread.sentence, unread.cure)
  return plan
}

const undeclaredOf = ({ changes, holds }: Plan): readonly Mapping[] =>
  [...changes, ...holds.flatMap(({ change }) => change ?? [])].flatMap((change) =>
    change.action === 'delete' && change.why === 'undeclared'
      ? [{ id: change.mapping, key: change.key, group: change.group, target: change.target, role: change.before }]
      : [],
  )

const notExported = (why: string, cure = 'repair this, then export again'): OperationalError =>
  new OperationalError('NotExported', `not exported: ${why}`, { cure })
