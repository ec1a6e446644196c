import { describe, expect, test } from 'vitest'
import { openShapes } from '../../../src/directories/transcript.ts'

const answer = (body: unknown, headers: Readonly<Record<string, string>> = {}) => ({
  status: 200,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  sentAtMs: 0,
  receivedAtMs: 0,
})
const url = new URL('https://graph.acme.example/v1.0')
const get = (path: string, query?: Readonly<Record<string, string>>) => ({ method: 'GET' as const, path, ...(query && { query }) })

test('equal values get equal names, in paths, links and bodies', () => {
  const shape = openShapes()
  const list = shape({
    url,
    request: get('/groups', { $top: '999', $select: 'id,displayName', $filter: "displayName eq 'Payroll'" }),
    answer: answer({
      '@odata.nextLink': 'https://graph.acme.example/v1.0/groups?$skiptoken=RFNwdAIAAQ&$top=999',
      value: [
        { id: '6f3a', displayName: 'Payroll', securityEnabled: true, groupTypes: ['Unified'] },
        { id: '77b1', displayName: 'Layoffs', securityEnabled: false, groupTypes: [] },
      ],
    }),
  })
  expect(list).toEqual({
    server: 'https://server-1.example.com',
    method: 'GET',
    path: '/groups',
    query: { $top: '999', $select: 'id,displayName', $filter: 'text 2' },
    status: 200,
    headers: {},
    body: {
      '@odata.nextLink': 'https://server-1.example.com/v1.0/groups?$skiptoken=text 3&$top=999',
      value: [
        { id: 'text 4', displayName: 'text 5', securityEnabled: true, groupTypes: ['Unified'] },
        { id: 'text 6', displayName: 'text 7', securityEnabled: false, groupTypes: [] },
      ],
    },
  })
  expect(shape({ url, request: get('/groups/6f3a/members'), answer: answer('') }).path).toBe('/groups/text 4/members')
})

test('only the fields and headers that a reader reads are kept, and long lists are counted', () => {
  const people = Array.from({ length: 5 }, (_, n) => ({
    id: `u${n}`,
    mail: `ann${n}@acme.example`,
    surname: 'Secret',
    manager: { id: 'x' },
  }))
  const { body, headers } = openShapes()({
    url,
    request: get('/groups'),
    answer: answer(
      { value: people, tenantName: 'Acme' },
      { 'content-type': 'application/json', 'set-cookie': 'session=1', 'x-tenant': 'acme' },
    ),
  })
  expect(headers).toEqual({ 'content-type': 'application/json' })
  expect(body).toEqual({
    value: [
      { id: 'text 2', mail: 'person-3@example.com' },
      { id: 'text 4', mail: 'person-5@example.com' },
      { id: 'text 6', mail: 'person-7@example.com' },
      '2 more',
    ],
  })
})

test('a word of the vendor stays, and a text in its place that is no word does not', () => {
  const { body } = openShapes()({ url, request: get('/groups'), answer: answer([{ type: 'OKTA_GROUP' }, { type: 'Sales in Rome' }]) })
  expect(body).toEqual([{ type: 'OKTA_GROUP' }, { type: 'text 2' }])
})

test('a header with links, and an answer that is no JSON', () => {
  const { headers, body } = openShapes()({
    url,
    request: get('/groups?after=00g1&limit=200'),
    answer: answer('<html>Acme</html>', { link: '<https://acme.okta.example/api/v1/groups?after=00g2&limit=200>; rel="next"' }),
  })
  expect(headers).toEqual({ link: '<https://server-4.example.com/api/v1/groups?after=text 3&limit=200>; rel="next"' })
  expect(body).toBeUndefined()
})

test('numbers, words and parameters that may say something are replaced', () => {
  const { query, body, headers } = openShapes()({
    url,
    request: get('/Users?cursor=miller,alice&startIndex=101&after=204711', { attributes: 'id,userName' }),
    answer: answer(
      {
        totalResults: 300,
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', 'urn:ietf:params:scim:schemas:extension:acme:2.0:User'],
        Resources: [{ id: 204711, status: 'ann.miller', emails: [{ type: 'acme-hq' }] }],
      },
      {
        'content-type': 'application/json; host=idp.acme.internal',
        'retry-after': 'soon at acme',
        link: '<https://a.example/x>; rel="next"; title="Acme"',
      },
    ),
  })
  expect(query).toEqual({ cursor: 'text 2', startIndex: '101', after: 'text 3', attributes: 'id,userName' })
  expect(body).toEqual({
    totalResults: 300,
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', 'text 7'],
    Resources: [{ id: 'text 3', status: 'text 8', emails: [{ type: 'text 9' }] }],
  })
  expect(headers['content-type']).toBe('application/json')
  expect(JSON.stringify(headers)).not.toMatch(/acme/i)
})

test('an answer that is nested without an end has a shape', () => {
  const { body } = openShapes()({ url, request: get('/groups'), answer: answer(`${'['.repeat(500)}${']'.repeat(500)}`) })
  expect(JSON.stringify(body)).toContain('deeper')
})

describe('the name of a value says its kind', () => {
  const uuid = '6f3a0b1c-1111-2222-3333-44445555aaFF'
  test.each([
    ['an id', uuid, '00000000-0000-0000-0000-000000000002'],
    ['an id and more before it', `x${uuid}`, 'text 2'],
    ['an id and more after it', `${uuid}x`, 'text 2'],
    ['an address', 'ann@acme.example', 'person-2@example.com'],
    ['an address with a name before it', 'Ann <ann@acme.example', 'text 2'],
    ['an address with a word after it', 'ann@acme.example left', 'text 2'],
    ['an address of the web', 'http://acme.example/v1/groups', 'https://server-2.example.com/v1/groups'],
    [
      'an address of the web with parameters',
      'https://acme.example/v1?first=5&dept=hr',
      'https://server-4.example.com/v1?first=5&parameter 2=text 3',
    ],
    ['an address of the web in a sentence', 'see https://acme.example/v1', 'text 2'],
    ['an address of the web behind another scheme', 'x:https://acme.example/v1', 'text 2'],
    ['an address that is none', 'https://[acme', 'text 2'],
    ['a number', 204711, 'number 2'],
    ['a truth value', true, true],
    ['nothing', null, null],
  ])('%s', (_kind, value, expected) => {
    expect(openShapes()({ url, request: get('/groups'), answer: answer({ value }) }).body).toEqual({ value: expected })
  })

  test('the segment of a path that readers do not write is an id, also if it is no percent-encoding', () => {
    const pathOf = (path: string) => openShapes()({ url, request: get(path), answer: answer('') }).path
    expect(pathOf('/groups/Pay%20roll/members')).toBe('/groups/00000000-0000-0000-0000-000000000002/members')
    expect(pathOf('/groups/100%/members/200%')).toBe(
      '/groups/00000000-0000-0000-0000-000000000002/members/00000000-0000-0000-0000-000000000003',
    )
  })
})

test('of parameters, short numbers of pages and lists of known words stay', () => {
  const { query } = openShapes()({
    url,
    request: get('/groups', { first: '200', max: '12345678', count: '5 acme', limit: 'acme 5', attributes: 'id,Payroll', dept: 'true' }),
    answer: answer(''),
  })
  expect(query).toEqual({ first: '200', max: 'text 2', count: 'text 3', limit: 'text 4', attributes: 'text 5', 'parameter 6': 'true' })
})

test('several links of a header stay apart, with and without quotation marks and blanks', () => {
  const { headers } = openShapes()({
    url,
    request: get('/groups'),
    answer: answer('', {
      link: '<https://a.example/api/v1/groups>;rel=self, <https://a.example/api/v1/users>;  rel="next"',
      'retry-after': '120',
      'x-rate-limit-limit': 'acme',
      'set-cookie': 'acme',
    }),
  })
  expect(headers).toStrictEqual({
    link: '<https://server-2.example.com/api/v1/groups>; rel="self", <https://server-2.example.com/api/v1/users>; rel="next"',
    'retry-after': '120',
    'x-rate-limit-limit': 'text 3',
  })
})

test('three items and twelve levels are shown whole', () => {
  const bodyOf = (body: unknown) => openShapes()({ url, request: get('/groups'), answer: answer(body) }).body
  expect(bodyOf([true, false, true])).toEqual([true, false, true])
  const nested = (levels: number): unknown => (levels === 0 ? true : [nested(levels - 1)])
  expect(bodyOf(nested(12))).toEqual(nested(12))
  expect(JSON.stringify(bodyOf(nested(13)))).toContain('deeper')
})

test.each<readonly [string, string, string]>([
  ['content-type', 'application/scim+json; charset=utf-8', 'application/scim+json'],
  ['content-type', '"acme" text/html', 'text 2'],
  ['content-encoding', 'gzip', 'gzip'],
  ['content-encoding', 'at acme', 'text 2'],
  ['content-encoding', 'acme gzip;', 'text 2'],
  ['retry-after', '30', '30'],
  ['retry-after', 'acme 30', 'text 2'],
  ['retry-after', '30 acme', 'text 2'],
  ...[
    'x-rate-limit-limit',
    'x-rate-limit-remaining',
    'x-rate-limit-reset',
    'ratelimit-limit',
    'ratelimit-remaining',
    'ratelimit-reset',
  ].map((name) => [name, '1762136070', '1762136070'] as const),
])('the header %s of the value %s is shown as %s', (name, value, expected) => {
  expect(openShapes()({ url, request: get('/groups'), answer: answer('', { [name]: value }) }).headers).toEqual({ [name]: expected })
})

test('only the schemas of SCIM itself stay', () => {
  const schema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
  const bodyOf = (value: string) => openShapes()({ url, request: get('/Groups'), answer: answer({ value }) }).body
  expect(bodyOf(schema)).toEqual({ value: schema })
  expect(bodyOf(`acme:${schema}`)).toEqual({ value: 'text 2' })
  expect(bodyOf(`${schema}:acme`)).toEqual({ value: 'text 2' })
})
