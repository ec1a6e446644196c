import { createHash } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { diff } from '../../src/core/diff/diff.ts'
import { type GroupIndex, indexGroups } from '../../src/core/group.ts'
import type { GroupName, Mapping, ProjectId, ProjectIdentifier, Role, Target, WorkspaceName } from '../../src/core/mapping.ts'
import type { Reading } from '../../src/core/reading.ts'
import { checkProjects } from '../../src/core/resolve/projects.ts'
import { resolve } from '../../src/core/resolve/resolve.ts'
import type { Rule, WorkspaceDeclaration } from '../../src/core/rule.ts'
import { mappingFrom } from '../../src/plane/wire/mapping.ts'
import { ms, type Row } from './row.ts'

const count = 100_000
const rounds = 11
const acme = 'acme' as WorkspaceName

/**
 * Compares `diff` of 100,000 mappings, 100 of which differ, with JSON.parse of the list that the service would send. Also measures `resolve`,
 * which runs before `diff`. All run in turn in one process, each after a garbage collection. The run with the least processor time of eleven counts.
 */
export function diffRows(): readonly Row[] {
  const answer = JSON.stringify(Array.from({ length: count }, (_, index) => rowOf(index)))
  const mappings = (JSON.parse(answer) as unknown[]).map((row): Mapping => mappingFrom(row, acme, 'projectRoles', ''))
  const rules = Array.from({ length: count }, (_, index) => ruleOf(index))
  const declared: WorkspaceDeclaration = { workspace: acme, owns: new Set(['projectRoles']), rules, removed: [], unmanaged: [] }
  const directory: Reading<GroupIndex> = {
    ...seen,
    value: indexGroups(rules.map((_, index) => ({ name: groupOf(index), id: String(index), place: `cn=${index}` }))),
  }
  const projects = { ...seen, value: new Map([[project, { id: 'P1' as ProjectId, archived: false }]]) }
  const world = {
    directories: new Map([['corp', directory]]),
    existing: mappings,
    matches: new Map(),
    projects,
    check: checkProjects(projects, { ids: {}, hash: options.hash, isWaived: () => false }),
    isRemembered: () => false,
    changedGroups: new Map(),
    lastId: () => undefined,
    hash: options.hash,
    dates: { hereMs: 0, thereMs: undefined },
    laterUntilMs: 0,
  }
  const lists = new Map([['projectRoles', { ...seen, value: mappings }] as const])

  const [parses, resolves, diffs]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    parses.push(timed(() => JSON.parse(answer) as unknown))
    const desired = resolve(declared, world)
    resolves.push(timed(() => resolve(declared, world)))
    diffs.push(
      timed(() => {
        const plan = diff(declared, desired, { lists }, options, [])
        if (plan.changes.length !== 100 || plan.unchanged !== count - 100) throw new Error(`a plan of ${plan.changes.length} changes`)
      }),
    )
  }
  const [parseMs, resolveMs, diffMs] = [Math.min(...parses), Math.min(...resolves), Math.min(...diffs)]
  const against = `JSON.parse of the ${(answer.length / 1e6).toFixed(0)} MB list: ${ms(parseMs)}`
  return [
    {
      measure: `diff of ${count} mappings, 100 of which differ`,
      figure: ms(diffMs),
      against,
      ratio: diffMs / parseMs,
      goal: '≤ 1',
      reached: diffMs <= parseMs,
    },
    { measure: `resolve of ${count} exact rules`, figure: ms(resolveMs), against, ratio: resolveMs / parseMs, goal: 'none', reached: true },
  ]
}

const seen = { status: 'complete', atMs: 0, tookMs: 0 } as const
const project = 'ENG' as ProjectIdentifier
const target: Target = { kind: 'project', project }
const groupOf = (index: number) => `plane-engineering-team-${index}` as GroupName
const member = 'member' as Role

const rowOf = (index: number) => ({
  id: `0190f0a0-0000-4000-a000-${String((index * 7_919) % count).padStart(12, '0')}`,
  idp_group_name: groupOf(index),
  project,
  all_projects: false,
  role: index % 1_000 === 0 ? 'guest' : 'member',
  created_at: '2027-01-31T14:00:00.000000+02:00',
  updated_at: '2027-01-31T14:00:00.000000+02:00',
})

const ruleOf = (index: number): Rule => ({
  groups: { kind: 'exact', name: groupOf(index) },
  target: { kind: 'fixed', target },
  role: { kind: 'fixed', role: member },
  allowProtected: false,
  unknownGroups: 'hold',
  unknownProjects: 'hold',
  because: { at: { file: 'groups.yaml', line: index + 1, column: 1 } },
})

const options = {
  origin: 'plane.example.com/acme',
  policy: 'upsert-only',
  doors: 'any',
  roles: { order: ['guest', 'member', 'admin'] as Role[], ordinary: ['guest', 'member'] as Role[], aliases: {} },
  echoes: {},
  laterUntilMs: 0,
  hash: (text: string) => createHash('sha256').update(text).digest('hex'),
} as const

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Processor time of this thread in ms: other work on the machine disturbs it less than the clock. */
function timed(work: () => unknown): number {
  // Otherwise the garbage of one run would be collected during the next one.
  collectGarbage()
  const begun = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(begun)
  return (user + system) / 1_000
}
