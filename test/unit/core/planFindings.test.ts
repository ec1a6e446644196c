import { expect, test } from 'vitest'
import { planFindings } from '../../../src/core/findings/planFindings.ts'
import type { Unmatched } from '../../../src/core/matches.ts'
import { desiredIn, rule, seenOf } from './smallWorld.ts'

function codes(unmatched: Unmatched | undefined): readonly string[] {
  const world = seenOf({ rules: [rule('devs', 'ENG', 'member')], directories: { corp: ['devs'] } })
  const seen = { directories: world.directories, existing: [], unmatched, changedGroups: [], lastId: () => undefined }
  return planFindings(world.declared, desiredIn(world), seen).map(({ code, place }) => `${place}: ${code}`)
}

test('patterns that were not matched are a finding at the first of them; there is none if they were matched', () => {
  const because = { at: { file: 'groups.yaml', line: 7, column: 5 } }
  expect(codes({ why: 'too many names', because })).toEqual(['groups.yaml:7:5: reading-incomplete'])
  expect(codes(undefined)).toEqual([])
})
