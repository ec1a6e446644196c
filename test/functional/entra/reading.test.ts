import { describe, expect, test } from 'vitest'
import type { GroupName } from '../../../src/core/mapping.ts'
import { notesOf } from '../../../src/core/reading.ts'
import { json } from '../keycloak-fake.ts'
import { clientId, entraStandIn, type Fault, type TenantGroup } from '../standIns/entra.ts'
import { idOf } from '../standIns/entraMembers.ts'
import { directory, never, reading, secret, usual } from './world.ts'

describe('a tenant that answers', () => {
  test('is read whole, page after page, with what is needed and no more', async () => {
    const { result, value, asked, requests } = await reading(usual)
    expect(result.status).toBe('complete')
    expect(asked).toEqual(['token', 'groups', 'groups 2', 'groups 3', 'groups 4', 'groups 5'])
    expect(value.get(idOf(7) as GroupName)).toEqual([{ name: idOf(7), id: idOf(7), place: `/groups/${idOf(7)}`, label: 'Group 7' }])
    const [, page] = requests
    expect(Object.fromEntries(page?.url.searchParams ?? [])).toEqual({
      $select: 'id,displayName,onPremisesSamAccountName,onPremisesDomainName,onPremisesNetBiosName,securityEnabled',
      $filter: 'securityEnabled eq true',
      $top: '5',
      $count: 'true',
    })
    expect(requests.slice(1).map(({ headers }) => headers['consistencylevel'])).toEqual(Array(5).fill('eventual'))
  })

  test('the token is asked for in the form, for Graph, and serves the next reading too', async () => {
    await using server = await entraStandIn(usual)
    const corp = directory(server.url)
    for (let i = 0; i < 2; i++) expect(await corp.read(AbortSignal.timeout(5_000))).toMatchObject({ status: 'complete' })
    const tokens = server.requests.filter(({ url }) => url.pathname.endsWith('/token'))
    expect(tokens.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
      { client_id: clientId, client_secret: secret, grant_type: 'client_credentials', scope: 'https://graph.microsoft.com/.default' },
    ])
    expect(tokens[0]?.headers).not.toHaveProperty('authorization')
  })

  const mixed: readonly TenantGroup[] = [
    {
      id: idOf(1),
      displayName: 'Synced',
      onPremisesSamAccountName: 'eng',
      onPremisesNetBiosName: 'CORP',
      onPremisesDomainName: 'corp.example.com',
    },
    { id: idOf(2), displayName: 'Cloud' },
    { id: idOf(3), displayName: 'Half', onPremisesSamAccountName: 'half' },
  ]
  test.each([
    ['id', false, [idOf(1), idOf(2), idOf(3)], undefined],
    ['displayName', false, ['Synced', 'Cloud', 'Half'], undefined],
    ['onPremisesName', false, ['eng', 'half'], '1 group (Cloud) left out: onPremisesSamAccountName has no value there'],
    ['domainName', false, ['CORP\\eng'], '2 groups (Cloud and Half) left out: onPremisesNetBiosName or onPremisesSamAccountName has'],
    ['dnsDomainName', false, ['corp.example.com\\eng'], '2 groups (Cloud and Half) left out: onPremisesDomainName or'],
    ['domainName', true, ['CORP\\eng', 'Cloud', 'Half'], undefined],
  ] as const)('names as %s, display names of cloud groups: %s', async (name, cloudDisplayName, expected, note) => {
    const { result, names } = await reading({ groups: mixed }, never, { groups: { name, cloudDisplayName } })
    expect(result.status).toBe('complete')
    expect(names).toEqual(expected)
    expect(notesOf(result)).toEqual(
      note === undefined
        ? []
        : [expect.objectContaining({ code: 'group-name-unusable', severity: 'info', sentence: expect.stringContaining(note) })],
    )
  })

  test('only a group whose name is an id has a label, and only if it has a display name', async () => {
    const tenant = {
      groups: [
        { id: idOf(1), displayName: 'A' },
        { id: idOf(2), displayName: null },
      ],
    }
    const { value } = await reading(tenant)
    expect([...value.values()].flat().map(({ label }) => label)).toEqual(['A', undefined])
    const named = await reading(tenant, never, { groups: { name: 'displayName' } })
    expect([...named.value.values()].flat()).toEqual([{ name: 'A', id: idOf(1), place: `/groups/${idOf(1)}` }])
  })

  test('two groups of one name stay two', async () => {
    const twins = {
      groups: [
        { id: idOf(1), displayName: 'same' },
        { id: idOf(2), displayName: 'same' },
      ],
    }
    const { value } = await reading(twins, never, { groups: { name: 'displayName' } })
    expect(value.get('same' as GroupName)).toMatchObject([{ place: `/groups/${idOf(1)}` }, { place: `/groups/${idOf(2)}` }])
  })

  test.each([
    ['security', [idOf(1)]],
    ['all', [idOf(1), idOf(2)]],
  ] as const)('of the types %s', async (types, expected) => {
    const tenant = { groups: [{ id: idOf(1) }, { id: idOf(2), securityEnabled: false }] }
    expect((await reading(tenant, never, { groups: { types } })).names).toEqual(expected)
  })

  test('a page may be empty, in the middle and at the end: only a page without a link is the last', async () => {
    const emptied: Fault = (key, _, response, url) => {
      if (key !== 'groups 3') return false
      const next = new URL(url)
      next.searchParams.set('$skiptoken', '10')
      next.searchParams.set('$again', '1')
      return url.searchParams.has('$again') ? false : json(response, 200, { value: [], '@odata.nextLink': next.href })
    }
    const { result, names } = await reading(usual, emptied)
    expect(result.status).toBe('complete')
    expect(names).toHaveLength(25)
  })

  test('a group that is renamed between two readings keeps its id', async () => {
    await using server = await entraStandIn({ groups: [{ id: idOf(1), displayName: 'old' }] })
    const corp = directory(server.url, { groups: { name: 'displayName' } })
    const ids = async () => {
      const result = await corp.read(AbortSignal.timeout(5_000))
      return result.status === 'complete' ? [...result.value.values()].flat().map(({ name, id }) => [name, id]) : result
    }
    expect(await ids()).toEqual([['old', idOf(1)]])
    server.change([{ id: idOf(1), displayName: 'new' }])
    expect(await ids()).toEqual([['new', idOf(1)]])
  })
})
