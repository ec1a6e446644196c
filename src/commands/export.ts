import type { Mapping, WorkspaceName } from '../core/mapping.ts'
import { runCycle } from '../cycle.ts'
import { printDeclaration } from '../declaration/print.ts'
import type { Reader } from '../reconcile.ts'
import { type Command, exit, texts, UsageError } from './command.ts'
import { sentence } from './complaint.ts'
import { type Open, openProgram } from './open.ts'

export const command: Command = {
  summary: 'what exists, as a declaration',
  options: { undeclared: { type: 'boolean', describe: 'only what no rule declares' } },
  async run({ values, terminal, signal }) {
    await using open = await openProgram(values, terminal)
    const workspace = oneOf([...open.program.sources.subjects.values()].flat(), texts(values.workspace) as readonly WorkspaceName[])
    const undeclared = values.undeclared === true
    const mappings = undeclared ? await undeclaredOf(open, workspace.workspace, signal) : await allOf(workspace.read, signal)
    terminal.out(printDeclaration(workspace.workspace, mappings, { lists: undeclared ? 'needed' : 'every' }))
    return exit.done
  },
}

/** A declaration file may hold several workspaces, but whoever exports wants one to look at. */
function oneOf<T extends { readonly workspace: WorkspaceName }>(all: readonly T[], named: readonly WorkspaceName[]): T {
  const found = named.length === 0 ? all : all.filter(({ workspace }) => named.includes(workspace))
  const [only] = found
  const names = all.map(({ workspace }) => workspace).join(', ')
  if (only === undefined) throw new UsageError(`the settings name no workspace "${named.join(', ')}"; they have ${names}`)
  if (found.length > 1) throw new UsageError(`export takes one workspace: --workspace with one of ${names}`)
  return only
}

/** A declaration made from half a list would delete the other half under another policy. */
async function allOf(read: Reader, signal: AbortSignal): Promise<readonly Mapping[]> {
  const readings = await Promise.all((['workspaceRoles', 'projectRoles'] as const).map((list) => read.mappings(list, signal)))
  return readings.flatMap((reading) => {
    if (reading.status === 'complete') return reading.value
    throw new Error(`not exported: ${reading.status === 'failed' ? reading.why : `the list is not complete: ${reading.missing}`}`)
  })
}

async function undeclaredOf({ program, memory, world }: Open, workspace: WorkspaceName, signal: AbortSignal): Promise<readonly Mapping[]> {
  const cycle = { now: world.clock.now, memory: () => memory, createsFromMs: 0, only: new Set([workspace]) }
  const { workspaces } = await runCycle(program.sources, cycle, undefined, signal)
  return workspaces.flatMap((one) => {
    if (one.is === 'failed') throw new Error(sentence(one.error), { cause: one.error })
    return one.verdict.plan.holds.flatMap(({ reason, change }) =>
      reason.kind === 'undeclared' && change?.action === 'delete'
        ? [{ id: change.mapping, key: change.key, group: change.group, target: change.target, role: change.before }]
        : [],
    )
  })
}
