import type { Change } from '../../../src/core/change.ts'
import { type GroupName, keyOf, type ProjectIdentifier, type Role, type WorkspaceName } from '../../../src/core/mapping.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import type { CycleReport } from '../../../src/cycle/report.ts'
import { startSandbox } from '../../../src/sandbox/server.ts'
import { composed, standIn } from './composed.ts'
import type { Tree } from './row.ts'

/** The mappings and declarations of a situation, in short form. `devs guest` is a mapping of the project ENG. */
export type Situation = {
  readonly existing?: readonly string[]
  readonly declared?: readonly string[]
  /** Groups under `removed`. */
  readonly removed?: readonly string[]
  /** An identifier, or `workspace` for roles in the workspace, or `captured` for a project that is called like the group. */
  readonly project?: string
  /** The rules start in this many days. */
  readonly startsInDays?: number
  /** The earlier creates of the mapping of `devs` by the program, each as the number of hours ago. */
  readonly writtenHoursAgo?: readonly number[]
}

/** The plan that the program makes of a situation: `1 create`, `held: policy`, `held: guards.deletes.count`. */
export async function planOf(settings: Tree, situation: Situation): Promise<readonly string[]> {
  const { existing = [], declared = [], removed = [], project = 'ENG', startsInDays } = situation
  const starts = startsInDays === undefined ? {} : { starts: new Date(Date.now() + startsInDays * 86_400_000).toISOString().slice(0, 10) }
  const projectMappings = existing.map(parts).map(([idp_group_name, role]) => ({ idp_group_name, role, project: 'ENG' }))
  await using sandbox = await startSandbox({
    limit: { requests: 1_000, windowMs: 60_000 },
    state: { keys: [{ value: 'firstKey' }], workspaces: { acme: { projects: ['ENG'], projectMappings } } },
  })
  const acme = {
    ...(project === 'workspace'
      ? { workspaceRoles: declared.map(parts).map(([group, role]) => ({ group, role })) }
      : { projectRoles: declared.map(parts).map(([group, role]) => ({ ...ruleOf(group, project, role), ...starts })) }),
    removed: removed.map((group) => ({ group, project })),
  }
  const groups = [...declared, ...existing].map((one) => parts(one)[0])
  await using program = await composed(settings, {
    ports: { [standIn.plane]: sandbox.url },
    files: {
      'groups.yaml': JSON.stringify({ version: 1, workspaces: { acme } }),
      'directory.yaml': JSON.stringify({
        groups: [...new Set(['somebody', ...groups])]
          .filter((one) => one !== 'unknown')
          .map((name) => ({ name, members: [`${name}-a`, `${name}-b`] })),
      }),
    },
    memory: (hash) => memoryOf(situation, hash),
  })
  return described(await program.cycle())
}

const ruleOf = (group: string, project: string, role: string): object =>
  project === 'captured' ? { groupRegex: `(?<app>${group})`, project: { capture: 'app' }, role } : { group, project, role }

const parts = (text: string): readonly [string, string] => text.split(' ') as [string, string]

function described({ workspaces: [one] }: CycleReport): readonly string[] {
  if (one?.kind !== 'judged') return [String(one?.kind)]
  const { judged } = one
  const holds = judged.plan.holds.map(({ reason }) => `held: ${'setting' in reason ? reason.setting : reason.kind}`)
  const what = (change: Change) => `${change.action}${change.action === 'delete' ? ` ${change.why}` : ''}`
  const written = judged.plan.changes.map((change) => what(change))
  const later = judged.plan.later.map(({ write }) => `later: ${write.action}`)
  return [...new Set(holds), ...counted(written), ...later]
}

const counted = (words: readonly string[]): readonly string[] =>
  [...Map.groupBy(words, (word) => word)].map(([word, { length }]) => `${length} ${word}`)

function memoryOf({ writtenHoursAgo = [] }: Situation, declaration: string): Memory {
  const workspace = 'acme' as WorkspaceName
  const group = 'devs' as GroupName
  const target = { kind: 'project', project: 'ENG' as ProjectIdentifier } as const
  const change = {
    id: 'c',
    action: 'create',
    key: keyOf(workspace, target, group),
    group,
    target,
    role: 'member' as Role,
    requires: [],
  } as unknown as Change
  const results = writtenHoursAgo.map(
    (hours) =>
      ({
        kind: 'result',
        atMs: Date.now() - hours * 3_600_000,
        run: 'r',
        workspace,
        change,
        declaration,
        outcome: { kind: 'done' },
      }) as const,
  )
  return results.reduce((memory: Memory, entry) => remember(memory, entry, 1_000), emptyMemory)
}
