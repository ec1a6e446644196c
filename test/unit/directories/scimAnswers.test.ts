import { describe, expect, test } from 'vitest'
import { groupList, groupMembers, groupSchema, scimUser, serviceProviderConfig, userList } from '../../../src/directories/scim/answers.ts'

describe('names of attributes have no case (RFC 7643 §2.1)', () => {
  test('members of a group: an answer with Members is no group without members', () => {
    const members = [{ VALUE: 'u1', Type: 'User', $REF: '/Users/u1' }]
    expect(groupMembers.parse({ ID: 'g', Members: members })).toEqual({
      id: 'g',
      members: [{ value: 'u1', type: 'User', $ref: '/Users/u1' }],
    })
  })

  test('a user who may not sign in', () => {
    const user = { Id: 'u1', UserName: 'ann', Active: false, Emails: [{ Value: 'a@x' }, { value: 'b@x', Primary: true }] }
    const row = { id: 'u1', userName: 'ann', email: 'b@x', account: 'ended' }
    expect(scimUser.parse(user)).toEqual(row)
    expect(userList.parse({ TotalResults: 1, resources: [user] })).toEqual({ total: 1, rows: [row], nextCursor: undefined })
  })

  test('a list of groups, and its next page', () => {
    const answer = { totalresults: 3, RESOURCES: [{ ID: 'g', displayname: 'devs', Members: [] }], NextCursor: 'c' }
    const rows = [{ id: 'g', name: 'devs', hasMembers: true }]
    expect(groupList('displayName').parse(answer)).toEqual({ total: 3, rows, nextCursor: 'c' })
  })

  test('what the server says about itself', () => {
    expect(serviceProviderConfig.parse({ Filter: { Supported: false }, Pagination: { Cursor: true, MaxPageSize: 50 } })).toEqual({
      filter: { supported: false },
      pagination: { cursor: true, maxPageSize: 50 },
    })
    expect(groupSchema.parse({ Attributes: [{ Name: 'Members', Returned: 'Never' }] })).toEqual({
      attributes: [{ name: 'Members', returned: 'Never' }],
    })
  })

  test('a name as the standard writes it comes before one in another case', () => {
    expect(scimUser.parse({ Active: true, active: false, id: 'u1' })).toMatchObject({ account: 'ended' })
  })

  test('an answer that is no object is refused', () => {
    for (const value of [null, [], 'text', 5]) expect(groupMembers.safeParse(value).success).toBe(false)
  })
})

test.each([
  [2.5, 2],
  [0.5, 0],
])('a size of pages that is no whole number, %d, is cut to %d', (said, maxPageSize) => {
  expect(serviceProviderConfig.parse({ pagination: { maxPageSize: said } }).pagination).toEqual({ maxPageSize })
})
