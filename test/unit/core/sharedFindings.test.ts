import { expect, test } from 'vitest'
import type { Finding } from '../../../src/core/finding.ts'
import { sharedFindings } from '../../../src/core/findings/shared.ts'
import { about } from '../render/sample.ts'

const finding = (code: Finding['code'], place: string, sentence = ''): Finding => ({ code, severity: 'warning', place, sentence })
const clock = finding('clock-differs', 'plane.example.com')
const withFindings = (...shared: readonly Finding[]) => ({ about: { ...about, shared } })

test('a finding that each workspace of a host has is told once; other places and codes keep theirs', () => {
  const elsewhere = finding('clock-differs', 'plane.example.org')
  const stepped = finding('clock-stepped', 'plane.example.com')
  const found = sharedFindings([withFindings(clock, stepped), withFindings(clock), withFindings(elsewhere), withFindings()])
  expect(found).toEqual([clock, stepped, elsewhere])
})

test('a schedule that is too short comes first', () => {
  const busy = { about: { ...about, quietCalls: 1_000, shared: [clock] } }
  expect(sharedFindings([busy]).map(({ code }) => code)).toEqual(['schedule-too-short', 'clock-differs'])
})
