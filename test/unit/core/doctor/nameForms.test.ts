import { expect, test } from 'vitest'
import { nameFormFindings } from '../../../../src/core/doctor/nameForms.ts'
import type { GroupName } from '../../../../src/core/mapping.ts'

const found = (used: readonly string[], corp: readonly string[]) => {
  const names = used.map((group, index) => ({ group: group as GroupName, place: `groups.yaml:${index + 1}`, asked: ['corp'] }))
  return nameFormFindings(names, new Map([['corp', corp as readonly GroupName[]]]))
}

test.each([
  ['web', '/company/web', 'as plain names, and corp has paths'],
  ['/company/web', 'web', 'as paths, and corp has plain names'],
  ['web', 'cn=web,ou=groups,dc=example', 'as plain names, and corp has distinguished names'],
  ['web@example.com', 'web', 'as addresses, and corp has plain names'],
  ['CORP\\web', 'web', 'as names with a domain in front, and corp has plain names'],
  ['Web', 'web', 'in other letters'],
  ['/old/web', '/company/web', 'in other letters'],
])('%s for %s', (used, there, how) => {
  const { findings, explained } = found([used], ['ops', there])
  expect(findings).toMatchObject([{ code: 'names-not-in-claim', severity: 'warning', place: 'groups.yaml:1' }])
  expect(findings[0]?.sentence).toContain(`1 group is named ${how}, such as "${used}" for "${there}"`)
  expect([...explained]).toEqual([used])
})

test('a name that no group of a directory resembles is not explained by its form', () => {
  expect(found(['ghosts', 'web'], ['/company/ops', 'web'])).toEqual({ findings: [], explained: new Set() })
})

test('another form in a directory that was not asked explains nothing', () => {
  const used = [{ group: '/company/web' as GroupName, place: 'groups.yaml:1', asked: ['corp'] }]
  const directories = new Map([
    ['corp', ['ops'] as readonly string[] as readonly GroupName[]] as const,
    ['idp', ['web'] as readonly string[] as readonly GroupName[]] as const,
  ])
  expect(nameFormFindings(used, directories)).toEqual({ findings: [], explained: new Set() })
  expect(nameFormFindings([{ ...(used[0] as (typeof used)[number]), asked: ['corp', 'idp'] }], directories).findings).toHaveLength(1)
})

test('several names are one finding, with the first of them; a name that is used twice counts once', () => {
  const { findings } = found(['web', 'ops', 'web'], ['/company/web', '/company/ops'])
  expect(findings.map(({ place, sentence }) => [place, sentence.split(',')[0]])).toEqual([
    ['groups.yaml:1', '2 groups are named as plain names'],
  ])
})
