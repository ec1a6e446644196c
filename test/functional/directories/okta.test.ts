import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { json } from '../rawServer.ts'
import { everyone, group, type OktaFault, problem } from '../standIns/okta.ts'
import { apiToken, reading, usual, usualNames } from '../standIns/oktaReading.ts'

/** The reader of Okta against a stand-in that behaves as Okta documents it: which readings are complete, and what is asked for. */

const withToken = { credential: { token: async () => apiToken } }
const byToken = { settings: withToken, organization: { apiTokens: [apiToken] } }
const always = Number.POSITIVE_INFINITY
/** Answers the first `times` requests of a key. */
const first =
  (key: string, times: number, answer: (asked: Parameters<OktaFault>[0]) => unknown): OktaFault =>
  (asked) => {
    if (asked.key !== key || asked.nth > times) return false
    answer(asked)
    return true
  }

/** Renames a group when the second page is asked for, and lets Okta answer. */
const renamesBeforePage2 =
  (id: string, name: string): OktaFault =>
  ({ key, server }) => {
    if (key === 'page 2') server.groups = server.groups.map((one) => (one.id === id ? group(id, name, { lastUpdatedMs: Date.now() }) : one))
    return false
  }

/** Answers with these groups, and with this header `Link`. */
function page(response: ServerResponse, groups: readonly unknown[], link?: string): void {
  json(response, 200, groups, link === undefined ? {} : { link })
}

describe('an organization that answers', () => {
  test('is complete, page after page, and asked whether it changed meanwhile', async () => {
    const { result, names, found, asked } = await reading()
    expect(result).toMatchObject({ status: 'complete' })
    expect(names).toEqual(usualNames)
    expect(found).toContainEqual({ name: 'a', id: '00g1a', place: 'OKTA_GROUP 00g1a' })
    expect(asked).toEqual(['token', 'page 1', 'page 2', 'page 3', 'changed'])
  })

  test.each([3, 4, 7])('with one page is asked for one row more, and after a full last page for nothing: pages of %i', async (pageSize) => {
    const { result, names, asked } = await reading({ settings: { limits: { pageSize, groupsMax: 7 } }, groups: usual.slice(0, 4) })
    expect(result.status).toBe('complete')
    expect(names).toEqual(usualNames.slice(0, 4))
    expect(asked).toEqual(pageSize === 3 ? ['token', 'page 1', 'page 2', 'changed'] : ['token', 'page 1', 'page 1'])
  })

  test('by a service app: a signed JWT for the token endpoint, the scope, and Bearer', async () => {
    const { requests } = await reading()
    const form = new URLSearchParams(requests[0]?.body)
    expect(Object.fromEntries(form)).toMatchObject({ grant_type: 'client_credentials', scope: 'okta.groups.read' })
    expect(form.has('client_secret')).toBe(false)
    expect(requests[1]?.headers.authorization).toBe('Bearer token-1')
  })

  test('by an API token: SSWS, and no request for a token', async () => {
    const { result, requests, seen } = await reading(byToken)
    expect(result.status).toBe('complete')
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(Array.from({ length: 4 }, () => `SSWS ${apiToken}`))
    expect(seen).toContain(apiToken)
  })

  test('a token serves the next readings, too', async () => {
    const { result, asked } = await reading({ times: 3 })
    expect(result.status).toBe('complete')
    expect(asked.filter((key) => key === 'token')).toHaveLength(1)
  })

  test('only groups of some types are asked for', async () => {
    const groups = [...usual, group('00g2', 'imported', { type: 'APP_GROUP' })]
    const { result, names, requests } = await reading({ groups, settings: { groups: { types: ['OKTA_GROUP', 'BUILT_IN'], name: 'name' } } })
    expect(result.status).toBe('complete')
    expect(names).toEqual(usualNames)
    expect(requests[1]?.url).toContain('filter=type%20eq%20%22OKTA_GROUP%22%20or%20type%20eq%20%22BUILT_IN%22')
  })

  test('two groups of one name stay two', async () => {
    const groups = [...usual, group('00g2', 'a', { type: 'APP_GROUP' })]
    const { found } = await reading({ groups })
    expect(found.filter(({ name }) => name === 'a').map(({ place }) => place)).toEqual(['OKTA_GROUP 00g1a', 'APP_GROUP 00g2'])
  })

  const imported = (id: string, samAccountName?: unknown) =>
    group(id, `cn of ${id}`, {
      type: 'APP_GROUP',
      profile: { name: `cn of ${id}`, samAccountName, windowsDomainQualifiedName: `CORP\\${id}` },
    })

  test('groups without the attribute are left out, and counted in a note', async () => {
    const groups = [imported('1', 'devs'), imported('2', null), imported('3', ''), imported('4'), everyone]
    const { result, names } = await reading({
      groups,
      settings: { groups: { types: ['OKTA_GROUP', 'APP_GROUP', 'BUILT_IN'], name: 'samAccountName' } },
    })
    expect(names).toEqual(['devs'])
    expect(result).toMatchObject({
      status: 'complete',
      notes: [
        {
          code: 'group-name-unusable',
          sentence: 'the profile has no samAccountName in 4 of 5 groups (00g0everyone, 2, 3 and 1 more): no rule can name such a group',
        },
      ],
    })
  })

  test('names with the domain of Windows', async () => {
    const { names } = await reading({
      groups: [imported('1'), imported('2')],
      settings: { groups: { types: ['APP_GROUP'], name: 'windowsDomainQualifiedName' } },
    })
    expect(names).toEqual(['CORP\\1', 'CORP\\2'])
  })

  test('more groups than groupsMax: the reading fails', async () => {
    const limits = { pageSize: 3, attemptsMax: 3 }
    const { result, asked } = await reading({ settings: { limits: { ...limits, groupsMax: 5 } } })
    expect(result).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('there are more groups than groupsMax (5)'),
      cure: expect.stringContaining('raise groupsMax'),
    })
    expect(asked).toEqual(['token', 'page 1', 'page 2'])
    expect((await reading({ settings: { limits: { ...limits, groupsMax: 7 } } })).result.status).toBe('complete')
  })
})

describe('a reading that proves nothing is partial', () => {
  test('an account that sees nothing', async () => {
    const { result } = await reading({ groups: [] })
    expect(result).toMatchObject({
      status: 'partial',
      missing: expect.stringContaining(
        'the group Everyone, which each organization has, is not among the 0 groups: the account sees only a part',
      ),
    })
  })

  test('an account that sees a part, and the part is complete if it is meant', async () => {
    const groups = usual.filter(({ type }) => type !== 'BUILT_IN')
    expect((await reading({ groups })).result).toMatchObject({ status: 'partial', missing: expect.stringContaining('among the 6 groups') })
    const meant = await reading({ groups, settings: { groups: { types: ['OKTA_GROUP', 'APP_GROUP'], name: 'name' } } })
    expect(meant.result.status).toBe('complete')
  })

  test('a rename moves a group to the pages that were read', async () => {
    const { result, names } = await reading({
      organization: { sortedBy: 'name' },
      fault: renamesBeforePage2('00g1f', 'A'),
    })
    expect(names).not.toContain('f')
    expect(result).toMatchObject({
      status: 'partial',
      missing: 'the group A was made or renamed while the groups were read, and was not among them',
    })
  })

  test('a rename moves a group to the pages that are still to come', async () => {
    const { result } = await reading({ organization: { sortedBy: 'name' }, fault: renamesBeforePage2('00g1a', 'z') })
    expect(result).toMatchObject({ status: 'partial', missing: '00g1a came twice: the list changed while it was read' })
  })

  test('a group is renamed after its page was read', async () => {
    const { result } = await reading({ fault: renamesBeforePage2('00g1a', 'other') })
    expect(result).toMatchObject({ status: 'partial', missing: 'the group other had another name, a, when it was read a moment before' })
  })

  test('a group that was renamed shortly before the reading is no reason', async () => {
    const groups = [...usual, group('00g2', 'new', { lastUpdatedMs: Date.now() - 10_000 })]
    expect((await reading({ groups })).result.status).toBe('complete')
  })

  test('a group of another type that changed is no reason', async () => {
    const groups = [...usual, group('00g2', 'imported', { type: 'APP_GROUP', lastUpdatedMs: Date.now() })]
    const { result, names } = await reading({ groups, settings: { groups: { types: ['OKTA_GROUP', 'BUILT_IN'], name: 'name' } } })
    expect(result.status).toBe('complete')
    expect(names).toEqual(usualNames)
  })

  const self = '<https://example.okta.com/api/v1/groups>; rel="self"'
  const next = 'https://example.okta.com/api/v1/groups?after=x'
  test.each([
    undefined,
    'damaged',
    '<https://example.okta.com/help>; rel="help"',
    `${next}; rel="next"`,
    `${self}, ${next}; rel="next"`,
    `${self}, <${next}>; rel*=UTF-8''next`,
    `${self}, <${next}`,
  ])('a page, full or not, with the header Link %s', async (link) => {
    for (const rows of [3, 2]) {
      const { result } = await reading({ fault: first('page 1', always, ({ response }) => page(response, usual.slice(0, rows), link)) })
      expect(result).toMatchObject({
        status: 'partial',
        missing: expect.stringContaining('the last page has no header Link with its own address, or one that cannot be read'),
      })
    }
  })

  test('an empty page with a link to the next', async () => {
    const { result } = await reading({
      fault: first('page 2', always, ({ response, request }) =>
        page(response, [], `<http://${request.headers.host}/api/v1/groups?after=x>; rel="next"`),
      ),
    })
    expect(result).toMatchObject({ status: 'partial', missing: 'a page without groups has a link to a next page' })
  })

  test('a page comes twice', async () => {
    const { result, asked } = await reading({
      fault: first('page 2', always, ({ response, request }) =>
        page(response, usual.slice(0, 3), `<http://${request.headers.host}/api/v1/groups?after=eyJwYWdlIjozfQ>; rel="next"`),
      ),
    })
    expect(result).toMatchObject({ status: 'partial', missing: '00g0everyone came twice: the list changed while it was read' })
    expect(asked).toEqual(['token', 'page 1', 'page 2'])
  })

  test('a type that was not asked for', async () => {
    const { result } = await reading({
      settings: { groups: { types: ['APP_GROUP'], name: 'name' } },
      fault: first('page 1', 1, ({ response }) => page(response, [usual[1]], self)),
    })
    expect(result).toMatchObject({
      status: 'partial',
      missing:
        'the group 00g1a is of the type OKTA_GROUP, which was not asked for; without a filter, groups.types: [OKTA_GROUP, APP_GROUP, BUILT_IN] has every type',
    })
  })

  test('answers without the header Date', async () => {
    const { result } = await reading({
      fault: ({ response }) => {
        response.removeHeader('date')
        response.sendDate = false
        return false
      },
    })
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining('no header Date') })
  })
})

test('an error of the question about changes fails the reading', async () => {
  const { result } = await reading({ fault: first('changed', always, ({ response }) => problem(response, 400, 'E0000031')) })
  expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('Okta does not accept the request') })
})
