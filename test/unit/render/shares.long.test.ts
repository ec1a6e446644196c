import { expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { HoldReason } from '../../../src/core/hold.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { appliedSections, planSections } from '../../../src/render/markdownSections.ts'
import { people } from '../bounds.ts'
import { at, create, held, nowMs, remove, unsure, view } from './sample.ts'

/** The characters for a whole workspace, and the number of them that a section may leave unused: less than a row. */
const room = 60_000
const slack = 250

const many = <T>(n: number, make: (name: string) => T): readonly T[] => Array.from({ length: n }, (_, index) => make(`group-${index}`))
const grant = (name: string) => create('ENG', name, 'admin', { size: people(3), allowProtected: true, ...at(`teams/${name}.yaml:7`) })
const other = (name: string) => create('ENG', name, 'guest', at(`teams/${name}.yaml:7`))
const waits = (changes: readonly Change[], reason: HoldReason) => changes.map((change) => held(change, reason))
const lengthOf = (section: string) => {
  const rows = section.split('\n').filter((row) => row.startsWith('| ') && !row.startsWith('|  | target'))
  const length = (some: readonly string[]) => some.reduce((sum, row) => sum + row.length + 1, 0)
  return length(rows)
}
/** Expects these shares of the room for each section, in percent. One row more or less is allowed. */
function takes(sections: readonly string[], expected: Readonly<Record<string, number>>) {
  for (const [title, share] of Object.entries(expected)) {
    const index = sections.findIndex((text) => text.includes(title))
    const section = sections[index] ?? ''
    // A table is below its title, or in the same block.
    const got = lengthOf(section.startsWith('<details') ? section : (sections[index + 1] ?? ''))
    expect(Math.abs(got - (room * share) / 100), `${title}: ${got}`).toBeLessThan(slack)
    expect(got).toBeLessThanOrEqual(Math.max(1500, (room * share) / 100))
  }
}

const startUp: HoldReason = { kind: 'quarantined', since: 'startUp' }
const approval: HoldReason = { kind: 'approval', why: 'protectedRole' }
const unknown: HoldReason = { kind: 'groupUnknown', directories: ['corp'], mapped: true }

const undeclared = ['guest', 'admin'].flatMap((role) =>
  many(900, (name) => held(remove('ENG', name, role, 'undeclared'), { kind: 'undeclared', policy: 'upsert-only' })),
)

test('each section of a plan has its share of the room', () => {
  const changes = [...many(900, grant), ...many(900, other)]
  const holds = [
    ...waits(many(900, grant), approval),
    ...waits(many(900, grant), startUp),
    ...waits(many(900, other), startUp),
    ...many(900, (name) => unsure('ENG', name, unknown)),
    ...undeclared,
  ]
  takes(planSections(view({ changes, holds }), room), {
    'need approval': 20,
    'protected roles, approved': 20,
    'Will be applied': 30,
    'Held (1,800)': 14,
    Dangling: 4,
    'Undeclared with a protected role': 2.4,
    'Undeclared, not ours': 1.6,
  })
})

test('each section of what came of an apply has its share of the room', () => {
  const refused = { kind: 'refused', status: 400, code: 'rejected', sentence: 'No.' } as const
  const results = (changes: readonly Change[], outcome: Outcome) => changes.map((change) => ({ change, outcome }))
  const applied = {
    results: [
      ...results(many(900, grant), { kind: 'unknown', why: 'the connection was cut', lastByteMs: nowMs - 3000 }),
      ...results(many(900, grant), refused),
      ...results(many(900, grant), { kind: 'notSent', why: 'connection refused' }),
      ...results([...many(900, grant), ...many(900, other)], { kind: 'done' }),
    ],
    holds: waits([...many(900, grant), ...many(900, other)], startUp),
    left: [...many(900, grant), ...many(900, other)],
    stopped: 'unreachable',
  } as const
  const kept = [...many(900, (name) => unsure('ENG', name, unknown)), ...undeclared]
  const waiting = waits([...many(900, grant), ...many(900, other)], startUp)
  const plan = { holds: [...waits(many(900, grant), approval), ...waiting, ...kept] }
  takes(appliedSections({ ...view(plan), applied }, room), {
    'Outcome unknown': 10,
    'Refused by the service': 15,
    'Not sent': 10,
    'need approval': 12,
    'Held meanwhile': 10,
    'Held (1,800)': 9,
    'Not tried': 10,
    Dangling: 2,
    'Undeclared with a protected role': 2.1,
    'Undeclared, not ours': 1.4,
    'Written (1,800)': 13,
  })
})
