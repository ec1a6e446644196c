import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { GuardSettings } from '../../../src/core/judge/guardSettings.ts'
import { type GroupName, type Key, keyOf, type List, listOf, type Mapping, type MappingId, type Role } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import { emptyShardedMap } from '../../../src/core/memory/shardedMap.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import type { Policy } from '../../../src/core/policy.ts'
import type { Rule, WorkspaceDeclaration } from '../../../src/core/rule.ts'
import { openPeopleCounter } from '../../../src/cycle/countPeople.ts'
import { openRunTally } from '../../../src/cycle/runTally.ts'
import { cycleWorkspace, type Writer } from '../../../src/cycle/workspace.ts'
import { acme, complete, groups, hash, pattern, projectsOf, roles, rule, target } from '../core/smallWorld.ts'
import { reopened } from '../journal/reopened.ts'
import { holds } from './runs.ts'

const [hour, day] = [3_600_000, 86_400_000]
const many = { count: 1_000, share: 1, minExisting: 1_000 }
const sums = { creates: 1_000, raises: 1_000, lowers: 1_000, deletes: 1_000 }
const guards: GuardSettings = {
  ...{ creates: many, raises: many, lowers: many, deletes: many, run: sums, day: sums },
  flapping: { rounds: 100, span: day },
  protectedGroups: [],
}

const names = ['a-one', 'a-two', 'b-one', 'b-two'] as readonly string[]
const projects = ['ENG', 'OPS']
const places = projects.flatMap((project) => names.map((name) => [project, name] as const))
const keyAt = (project: string, name: string) => keyOf(acme, target(project), name as GroupName)

type Step =
  | { readonly do: 'cycle'; readonly policy: Policy; readonly suspend: boolean }
  | { readonly do: 'wait'; readonly days: number }
  | { readonly do: 'lines'; readonly exact: number; readonly pattern: boolean; readonly unmanaged: number }
  /** A person in Plane. `to`: another role, or no mapping, or a mapping again, with another id. */
  | { readonly do: 'edit'; readonly place: number; readonly to: 'guest' | 'admin' | 'gone' | 'again' }
  | { readonly do: 'swap' }
  /** What comes of the journal: it is lost; it begins a new file, so that only its head is read; an older version, which knows no ownership, wrote it. */
  | { readonly do: 'journal'; readonly how: 'lost' | 'pruned' | 'older' }

const place = fc.nat(places.length - 1)
const cycle = fc.record({
  do: fc.constant('cycle' as const),
  policy: fc.constantFrom<Policy>('sync', 'sync', 'sync', 'sync', 'upsert-only', 'observe'),
  suspend: fc.constantFrom(false, false, false, true),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: cycle },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.constantFrom(1, 3, 7) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('lines' as const),
      exact: fc.nat(255),
      pattern: fc.boolean(),
      unmanaged: fc.constantFrom(0, 0, 0, 1, 2),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('edit' as const), place, to: fc.constantFrom('guest', 'admin', 'gone', 'again') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('swap' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('journal' as const), how: fc.constantFrom('lost', 'pruned', 'pruned', 'pruned', 'older') }),
  },
)

/** Who made what, kept beside the program: by what each reading of a cycle that may write shows. */
type Known = { readonly role: Role | null; readonly how: 'made' | 'adopted' | number }

async function play(steps: readonly Step[]) {
  let nowMs = 1e12
  let memory: Memory = emptyMemory
  let rows: readonly Mapping[] = []
  let made = 0
  let identifiers = projects
  let lines: { readonly exact: number; readonly pattern: boolean; readonly unmanaged: number } = { exact: 15, pattern: false, unmanaged: 0 }
  let book = new Map<MappingId, Known>()
  let begun = false
  /** Mappings that were held in the first cycle of a policy that deletes. Whether they stay known depends on whether a rule could be known. */
  const unsure = new Set<MappingId>()
  let deletes = 0

  const rowAt = (project: string, name: string, role: string): Mapping => ({
    id: `m${++made}` as MappingId,
    key: keyAt(project, name),
    group: name as GroupName,
    target: target(project),
    role: role as Role,
  })
  const isExact = (key: Key) => places.some(([project, name], index) => (lines.exact & (1 << index)) !== 0 && keyAt(project, name) === key)
  const isPattern = (key: Key) =>
    lines.pattern && places.some(([project, name]) => project === 'ENG' && name.startsWith('a-') && keyAt(project, name) === key)
  const isUnmanaged = ({ group }: Pick<Mapping, 'group'>) =>
    names.some((name, index) => (lines.unmanaged & (1 << index)) !== 0 && name === group)
  const isDeclared = (row: Mapping) => isExact(row.key) || isPattern(row.key)

  function declaration(): WorkspaceDeclaration {
    const exact = places.flatMap(([project, name], index): readonly Rule[] =>
      (lines.exact & (1 << index)) === 0
        ? []
        : [rule(name, project, 'member', { because: { at: { file: 'f.yaml', line: 1, column: 1 } } })],
    )
    const because = { at: { file: 'f.yaml', line: 9, column: 1 } }
    const unmanaged = names.flatMap((name, index) =>
      (lines.unmanaged & (1 << index)) === 0 ? [] : [{ groups: { kind: 'exact', name: name as GroupName } as const, because }],
    )
    const globs = lines.pattern ? [pattern('a-.*', 'ENG', 'member', { because })] : []
    return { workspace: acme, owns: new Set<List>(['projectRoles']), rules: [...exact, ...globs], removed: [], unmanaged }
  }

  /** What the reading of a cycle that may write teaches. */
  function read(policy: Policy): void {
    const begins = policy === 'sync' && !begun
    for (const row of rows) {
      const before = book.get(row.id)
      let known = before !== undefined && before.role === row.role ? before : undefined
      const [exact, declared] = [isExact(row.key), isDeclared(row)]
      if (isUnmanaged(row) || (begins && !declared)) known = undefined
      else if (begins && known !== undefined && known.how !== 'made') known = exact ? { ...known, how: nowMs } : undefined
      else if (known === undefined)
        known = exact && rows.filter(({ key }) => key === row.key).length === 1 ? { role: row.role, how: nowMs } : undefined
      else if (typeof known.how === 'number')
        known = !exact ? undefined : nowMs - known.how >= 7 * day ? { ...known, how: 'adopted' } : known
      if (known === undefined) book.delete(row.id)
      else book.set(row.id, known)
    }
    if (begins) begun = true
  }
  /** Takes back what a reading would have taught of the mappings that the cycle held: of these the same stays known. */
  function withoutHeld(before: typeof book, held: ReadonlySet<Key>, begins: boolean): void {
    for (const { id, role } of rows.filter((row) => held.has(row.key))) {
      if (begins) unsure.add(id)
      const was = before.get(id)
      if (book.get(id)?.how === 'made') continue
      if (was?.role === role) book.set(id, was)
      else book.delete(id)
    }
  }
  const isOurs = (id: MappingId) => begun && (book.get(id)?.how === 'made' || book.get(id)?.how === 'adopted')

  const log = async (entry: object) => void (memory = remember(memory, { atMs: nowMs, run: 'r', ...entry } as Entry, 1))
  const write = (change: Change): Outcome => {
    if (change.action === 'create') {
      const row = rowAt(change.target.kind === 'project' ? change.target.project : '', change.group, change.role)
      rows = [...rows, row]
      book.set(row.id, { role: row.role, how: 'made' })
      return { kind: 'done', mapping: row.id }
    }
    if (change.action === 'settings') throw new Error('no settings are declared')
    if (change.action === 'delete') {
      deletes++
      expect(isOurs(change.mapping) || unsure.has(change.mapping), `${change.key} ${change.mapping} was deleted, and is not ours`).toBe(
        true,
      )
      rows = rows.filter(({ id }) => id !== change.mapping)
      return { kind: 'done' }
    }
    rows = rows.map((row) => (row.id === change.mapping ? { ...row, role: change.role } : row))
    const known = book.get(change.mapping)
    if (known !== undefined) book.set(change.mapping, { ...known, role: change.role })
    return { kind: 'done' }
  }
  const writer: Writer = {
    changesMax: 100,
    hasLock: () => true,
    write: async (change, gate) => {
      const hold = gate(change)
      return hold === undefined ? write(change) : { kind: 'notSent', why: 'held', hold }
    },
    intend: (workspace, change, hashOf) => log({ kind: 'intent', workspace, change, declaration: hashOf }),
    settle: (workspace, change, outcome, hashOf) => log({ kind: 'result', workspace, change, outcome, declaration: hashOf }),
    storeWaivers: async () => {},
    storeMappings: (workspace, list, ids, left) => log({ kind: 'mappings', workspace, list, ids, ...(left && { left }) }),
    storeGroupIds: (ids, meant) => log({ kind: 'groups', ids, ...(meant && { meant }) }),
    storeProjectIds: (workspace, ids) => log({ kind: 'projects', workspace, ids }),
    storeShown: async () => {},
    storeOwnership: (change) => log({ kind: 'ownership', ...change }),
  }

  async function runCycle(policy: Policy, suspend: boolean): Promise<void> {
    nowMs += hour
    const mayOwn = !suspend && policy !== 'observe'
    const [before, begins] = [new Map(book), policy === 'sync' && !begun]
    if (mayOwn) read(policy)
    const clock = { now: () => nowMs, wall: () => nowMs }
    const declared = declaration()
    const result = await cycleWorkspace(
      {
        binding: {
          workspace: acme,
          read: {
            mappings: async (list: List) => complete(rows.filter((row) => listOf(row.target) === list)),
            mapping: async (_: List, id: MappingId) => {
              const row = rows.find((one) => one.id === id)
              return row === undefined ? { is: 'gone' as const } : { is: 'there' as const, key: row.key }
            },
            projects: async () => complete(projectsOf(`${identifiers[0]}=1`, `${identifiers[1]}=2`)),
            groupSync: async () => ({}),
          },
          horizonMs: 0,
          hasJournal: true,
          options: { origin: 'h/acme', policy, roles, doors: 'any', hash },
          guards,
          waivers: [],
          suspend,
          dates: () => ({ hereMs: nowMs, thereMs: undefined }),
        },
        declared: { workspaces: new Map([[acme, declared]]), hash: JSON.stringify([lines]), files: 1 },
        directories: new Map([['corp', complete(groups(...names))]]),
      },
      writer,
      {
        ...clock,
        began: { steadyMs: nowMs, wallMs: nowMs },
        memory: () => memory,
        run: openRunTally(memory, []),
        countPeople: openPeopleCounter(new Map()),
      },
      new AbortController().signal,
    )
    await log({ kind: 'end' })
    if (!mayOwn) return
    const held = new Set(result.judged.plan.holds.flatMap(({ key, reason }) => (reason.kind === 'undeclared' ? [] : [key])))
    withoutHeld(before, held, begins)
    if (policy !== 'sync') return
    for (const row of rows)
      if (isOurs(row.id) && !unsure.has(row.id) && !isDeclared(row) && !isUnmanaged(row))
        expect(held, `${row.key} ${row.id} is ours, and nobody declares it`).toContain(row.key)
  }

  for (const one of steps) {
    switch (one.do) {
      case 'cycle':
        await runCycle(one.policy, one.suspend)
        break
      case 'wait':
        nowMs += one.days * day
        break
      case 'lines':
        lines = one
        break
      case 'edit': {
        const [project = '', name = ''] = places[one.place] ?? []
        const here = rows.filter(({ key }) => key === keyAt(project, name))
        if (one.to === 'gone' || one.to === 'again') rows = rows.filter((row) => !here.includes(row))
        if (one.to === 'again' || (here.length === 0 && one.to !== 'gone')) rows = [...rows, rowAt(project, name, 'member')]
        else rows = rows.map((row) => (here.includes(row) ? { ...row, role: one.to as Role } : row))
        break
      }
      case 'swap':
        // The projects exchange their identifiers, so each mapping has another key.
        identifiers = identifiers.toReversed()
        rows = rows.map((row) => {
          const project = row.target.kind === 'project' && row.target.project === 'ENG' ? 'OPS' : 'ENG'
          return { ...row, target: target(project), key: keyAt(project, row.group) }
        })
        break
      case 'journal':
        if (one.how === 'pruned') memory = reopened(memory)
        else {
          memory = one.how === 'lost' ? emptyMemory : { ...memory, ownership: emptyShardedMap }
          book = new Map()
          begun = false
        }
        break
      default:
        one satisfies never
    }
  }
  return deletes
}

describe('ownership', () => {
  holds(
    'What a missing line leaves is deleted in the first cycle in which nothing of it is held, if it is ours, and never if it is not',
    2_000,
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => void (await play(steps))),
  )
})
