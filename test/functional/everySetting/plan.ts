import type { Change } from '../../../src/core/change.ts'
import { type GroupName, keyOf, type MappingId, type ProjectIdentifier, type Role, type WorkspaceName } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import type { CycleReport } from '../../../src/cycle/cycleReport.ts'
import { startSandbox } from '../../../src/sandbox/server.ts'
import { composed, standIn } from './composed.ts'
import type { Tree } from './row.ts'

/** The mappings and declarations of a situation, in short form. `devs guest` is a mapping of the project ENG. */
export type Situation = {
  readonly existing?: readonly string[]
  readonly declared?: readonly string[]
  /** Groups under `removed`. */
  readonly removed?: readonly string[]
  /** The first of the existing mappings that are the program's own. */
  readonly ours?: readonly string[]
  /** An identifier, or `workspace` for roles in the workspace, or `captured` for a project that is called like the group. */
  readonly project?: string
  /** The rules start in this many days. */
  readonly startsInDays?: number
  /** The earlier creates of the mapping of `devs` by the program, each as the number of hours ago. */
  readonly writtenHoursAgo?: readonly number[]
  /** An order has approved this grant before. */
  readonly approved?: string
}

/** The plan that the program makes of a situation: `1 create`, `held: policy`, `held: guards.deletes.count`. */
export async function planOf(settings: Tree, situation: Situation): Promise<readonly string[]> {
  const { existing = [], declared = [], removed = [], project = 'ENG', startsInDays } = situation
  const starts = startsInDays === undefined ? {} : { starts: new Date(Date.now() + startsInDays * 86_400_000).toISOString().slice(0, 10) }
  const projectMappings = existing
    .map(parts)
    .map(([idp_group_name, role], index) => ({ id: idOf(index), idp_group_name, role, project: 'ENG' }))
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

const idOf = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`

/** What the journal knows to be ours. */
function ownedIn({ existing = [], ours = [] }: Situation): Entry {
  const workspace = 'acme' as WorkspaceName
  const target = { kind: 'project', project: 'ENG' as ProjectIdentifier } as const
  const keys = ours.map((text) => {
    const [group, role] = parts(text)
    const made = { id: idOf(existing.indexOf(text)) as MappingId, role: role as Role, file: 'groups.yaml', how: 'made' } as const
    return [keyOf(workspace, target, group as GroupName), made] as const
  })
  return { kind: 'ownership', atMs: 0, run: 'r', workspace, list: 'projectRoles', begins: true, keys: Object.fromEntries(keys) }
}

function approvalOf(grant: string): Entry {
  const workspace = 'acme' as WorkspaceName
  const [group, after] = parts(grant) as readonly [GroupName, Role]
  const key = keyOf(workspace, { kind: 'project', project: 'ENG' as ProjectIdentifier }, group)
  const fromMs = Date.now()
  const about = { name: 'a'.repeat(32), by: 'ann', account: 'ann', reason: 'x', fromMs, untilMs: fromMs + 3_600_000 }
  return { kind: 'approval', atMs: 0, run: 'r', approval: { ...about, workspace, words: { changes: [{ key, after }] }, passes: [] } }
}

function memoryOf(situation: Situation, declaration: string): Memory {
  const { writtenHoursAgo = [] } = situation
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
  const owned = situation.ours === undefined ? emptyMemory : remember(emptyMemory, ownedIn(situation), 1_000)
  const before = situation.approved === undefined ? owned : remember(owned, approvalOf(situation.approved), 1_000)
  return results.reduce((memory: Memory, entry) => remember(memory, entry, 1_000), before)
}
