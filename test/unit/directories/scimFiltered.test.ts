import { expect, test } from 'vitest'
import { leftOutBy } from '../../../src/directories/scim/read.ts'

const names = ['plane-a', 'PLANE-B', 'Plané-c', 'it "x"', 'other']
const leftOut = (filter: string) => {
  const isLeftOut = leftOutBy(filter, 'displayName')
  return isLeftOut && names.filter(isLeftOut)
}

test.each([
  ['displayName sw "plane-"', ['it "x"', 'other']],
  ['displayName SW "plane-" and displayName ew "-a"', ['PLANE-B', 'Plané-c', 'it "x"', 'other']],
  ['displayName eq "other" or displayName co "-b"', ['plane-a', 'Plané-c', 'it "x"']],
  ['displayName eq "it \\"x\\"" or displayName eq "\\u006fther"', ['plane-a', 'PLANE-B', 'Plané-c']],
  ['displayName sw "plane-" and active eq true', ['it "x"', 'other']],
  ['urn:ietf:params:scim:schemas:core:2.0:Group:displayName ew "r"', ['plane-a', 'PLANE-B', 'Plané-c', 'it "x"']],
])('%s leaves out %j', (filter, expected) => {
  expect(leftOut(filter)).toEqual(expected)
})

test.each([
  'displayName sw "plane-" or active eq true',
  'displayName ne "other"',
  'displayName pr',
  'not (displayName sw "plane-")',
  'externalId eq "7"',
])('%s says nothing about names', (filter) => {
  expect(leftOut(filter)).toBeUndefined()
})
