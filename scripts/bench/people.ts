import type { Change, ChangeId } from '../../src/core/change.ts'
import {
  type GroupName,
  keyOf,
  type Mapping,
  type ProjectIdentifier,
  type Role,
  type Target,
  type WorkspaceName,
} from '../../src/core/mapping.ts'
import type { Person } from '../../src/core/people/members.ts'
import { peopleEffects } from '../../src/core/people/peopleEffects.ts'
import { rosterOf } from '../../src/core/people/roster.ts'
import { changedTargets } from '../../src/core/people/rows.ts'
import { noDeadline } from '../../src/directories/deadline.ts'
import { type DirectMembers, readMemberships } from '../../src/directories/membership.ts'
import { median, ms, type Row } from './row.ts'

const rounds = 7
const acme = 'acme' as WorkspaceName

/** Counts the people of a plan over a million memberships, and resolves groups inside groups. Both are compared with filling a Map once. */
export async function peopleRows(): Promise<readonly Row[]> {
  return [countedRow(), await nestedRow()]
}

const [groupsOfPlan, peopleOfGroup, everybody] = [1_000, 1_000, 100_000]

/** 1,000 groups of 1,000 people, half of them with a role already. The plan gives the others one, in 100 projects. */
function countedRow(): Row {
  const people = Array.from({ length: everybody }, (_, n) => `person-${n}@example.com`)
  const members = new Map(
    Array.from({ length: groupsOfPlan }, (_, group) => [
      `group-${group}` as GroupName,
      { people: Array.from({ length: peopleOfGroup }, (_, n) => people[(group * 7_919 + n * 97) % everybody] as string) },
    ]),
  )
  const target = (group: number): Target => ({ kind: 'project', project: `P${group % 100}` as ProjectIdentifier })
  const key = (group: number) => keyOf(acme, target(group), `group-${group}` as GroupName)
  const about = (group: number) => ({ key: key(group), group: `group-${group}` as GroupName, target: target(group) })
  const even = Array.from({ length: groupsOfPlan }, (_, group) => group).filter((group) => group % 200 < 100)
  const existing = even.map((group): Mapping => ({ ...about(group), id: `m${group}` as Mapping['id'], role: 'guest' as Role }))
  const changes = Array.from({ length: groupsOfPlan }, (_, group) => group)
    .filter((group) => group % 200 >= 100)
    .map((group): Change => ({ ...about(group), action: 'create', role: 'member' as Role, id: `c${group}` as ChangeId, requires: [] }))
  const roles = { order: ['guest', 'member', 'admin'], ordinary: ['guest', 'member'], aliases: {} }

  const count = () => {
    const targets = changedTargets(changes, existing, roles)
    const counting = peopleEffects(changes, targets, rosterOf(members), roles)
    let step = counting.next()
    while (step.done !== true) step = counting.next()
    const { effects } = step.value
    if (effects.size !== changes.length) throw new Error(`effects of ${effects.size} changes`)
  }
  const put = () => {
    const groupsOf = new Map<string, number>()
    for (const { people } of members.values()) for (const person of people) groupsOf.set(person, (groupsOf.get(person) ?? 0) + 1)
  }
  const { ours, theirs } = inTurn(count, put)
  const peakMiB = process.resourceUsage().maxRSS / 1024
  return {
    measure: 'people of 500 role changes over 1,000,000 memberships',
    figure: `${ms(ours)}, peak ${peakMiB.toFixed(0)} MiB`,
    against: `the memberships put into a Map once: ${ms(theirs)}`,
    ratio: ours / theirs,
    goal: '≤ 3, ≤ 300 MiB',
    reached: ours <= 3 * theirs && peakMiB <= 300,
  }
}

const [groups, depth] = [20_000, 50]

const personOf = (name: string): Person => ({ id: name, key: `${name}@example.com` })

/** Chains of 50 groups, each with two people of its own. The last group of each tenth chain contains the first one. */
async function nestedRow(): Promise<Row> {
  const id = (n: number) => `group-${n}`
  const direct = new Map(
    Array.from({ length: groups }, (_, n): [string, DirectMembers] => {
      const isLast = n % depth === depth - 1
      const inside = !isLast ? [id(n + 1)] : n % (10 * depth) === depth - 1 ? [id(n - depth + 1)] : []
      return [id(n), { people: [personOf(`a${n}`), personOf(`b${n}`)], groups: inside }]
    }),
  )
  const wanted = [...direct.keys()]
  const missing = { missing: 'there is no such group' }
  const resolve = () =>
    readMemberships(
      wanted,
      async (group) => direct.get(group) ?? missing,
      { nested: true, atOnce: 8, deadline: noDeadline, explained: () => undefined },
      new AbortController().signal,
    )
  const { memberships } = await resolve()
  const pairs = [...memberships].flatMap(([group, { people }]) => people.map((person) => [group, person] as const))
  const put = () => {
    const all = new Map<string, Set<string>>()
    for (const [group, person] of pairs) {
      const known = all.get(group)
      if (known === undefined) all.set(group, new Set([person]))
      else known.add(person)
    }
  }
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    ours.push(await timedWhile(resolve))
    theirs.push(await timedWhile(async () => put()))
  }
  const ratio = median(ours) / median(theirs)
  return {
    measure: `members of ${groups} groups, ${depth} deep, with circles: ${pairs.length} pairs`,
    figure: ms(median(ours)),
    against: `the same pairs put into a Map: ${ms(median(theirs))}`,
    ratio,
    goal: '≤ 3',
    reached: ratio <= 3,
  }
}

function inTurn(one: () => void, other: () => void): { readonly ours: number; readonly theirs: number } {
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    ours.push(timed(one))
    theirs.push(timed(other))
  }
  return { ours: median(ours), theirs: median(theirs) }
}

function timed(work: () => void): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

async function timedWhile(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
