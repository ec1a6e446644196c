import { describe, expect, test } from 'vitest'
import { json } from '../keycloak-fake.ts'
import { application, graphError, type Tenant } from '../standIns/entra.ts'
import { idOf } from '../standIns/entraMembers.ts'
import { always, first, groups, never, type Part, reading } from './world.ts'

describe('the groups that are assigned to an application', () => {
  const part: Part = { groups: { assigned: application } }
  const group = (n: number) => ({ principalId: idOf(n), principalType: 'Group' }) as const
  const user = (n: number) => ({ principalId: idOf(n), principalType: 'User' }) as const
  const tenant: Tenant = { groups: groups(40), assigned: [...Array.from({ length: 17 }, (_, n) => group(n)), user(30), group(3)] }

  test('are read by their ids, each once, without users', async () => {
    const { result, names, asked } = await reading(tenant, never, part)
    expect(result.status).toBe('complete')
    expect(names).toEqual(Array.from({ length: 17 }, (_, n) => idOf(n)))
    expect(asked.filter((key) => key === 'batch')).toHaveLength(2)
    expect(asked.filter((key) => key.startsWith('groups'))).toEqual([])
  })

  test.each([
    ['security', [idOf(1)]],
    ['all', [idOf(1), idOf(2)]],
  ] as const)('of the types %s', async (types, expected) => {
    const both = { groups: [{ id: idOf(1) }, { id: idOf(2), securityEnabled: false }], assigned: [group(1), group(2)] }
    const { result, names } = await reading(both, never, { groups: { assigned: application, types } })
    expect(result.status).toBe('complete')
    expect(names).toEqual(expected)
  })

  test('one of them that Graph does not answer', async () => {
    const { result } = await reading({ ...tenant, assigned: [group(1), group(77)] }, never, part)
    expect(result).toMatchObject({
      status: 'partial',
      missing: expect.stringContaining(`1 of 2 assigned groups was not found (${idOf(77)})`),
    })
  })

  test('a group that was not asked for', async () => {
    const foreign = first('batch', always, (response) => {
      const row = {
        displayName: 'x',
        onPremisesSamAccountName: null,
        onPremisesDomainName: null,
        onPremisesNetBiosName: null,
        securityEnabled: true,
      }
      json(response, 200, { '@odata.count': 2, value: [1, 9].map((n) => ({ id: idOf(n), ...row })) })
    })
    const { result, names } = await reading({ ...tenant, assigned: [group(1)] }, foreign, part)
    expect(result).toMatchObject({ status: 'partial', missing: `Graph answered with the group ${idOf(9)}, which was not asked for` })
    expect(names).toEqual([idOf(1)])
  })

  test('an assignment list whose total differs', async () => {
    const lie = first('assigned', 1, (response) => json(response, 200, { '@odata.count': 9, value: [{ id: 'a', ...group(1) }] }))
    const { result } = await reading(tenant, lie, part)
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining('Graph counted 9 assignments and listed 1') })
  })

  test('none', async () => {
    const { result } = await reading({ ...tenant, assigned: [user(1)] }, never, part)
    expect(result).toMatchObject({
      status: 'failed',
      why: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/: no group is assigned to the application 11112222-/),
      cure: expect.stringContaining('Users and groups'),
    })
  })

  test('of an application that the tenant does not have', async () => {
    const { result } = await reading({ groups: [] }, never, part)
    expect(result).toMatchObject({
      status: 'failed',
      why: expect.stringContaining(`404, this tenant has no enterprise application ${application} (Request_ResourceNotFound)`),
      cure: expect.stringContaining('check groups.assigned'),
    })
  })

  test('without the right to read applications', async () => {
    const { result } = await reading(
      tenant,
      first('assigned', always, (response) => graphError(response, 403, 'Authorization_RequestDenied')),
      part,
    )
    expect(result).toMatchObject({ status: 'failed', cure: expect.stringContaining('GroupMember.Read.All and Application.Read.All') })
  })
})
