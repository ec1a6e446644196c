import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import { NoAnswer, type Request } from '../../../src/http/origin.ts'
import { openCaller, type Sending } from '../../../src/plane/call.ts'
import { apiKey } from '../../../src/plane/credential.ts'
import { openQueue } from '../../../src/plane/rate/queue.ts'
import { usualRetries } from '../../../src/plane/rate/retry.ts'
import { write } from '../../../src/plane/write.ts'
import { acme, planOf, rule, type SmallWorld } from '../core/smallWorld.ts'
import { never, virtualTime } from './virtualTime.ts'

/** The answer: a status with a body, or the error because of which there is no answer. */
type Wire = { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } | Error

/**
 * Writes a change to a service that gives these answers in turn. The answers come at 5.1 s, 5.2 s, … Returns the requests that were sent, and the
 * outcome.
 */
async function wrote(change: Change, wires: Wire | readonly Wire[], sending: Sending = {}) {
  const answers = [wires].flat()
  const [requests, operations]: [Request[], string[]] = [[], []]
  const clock = virtualTime(5_000)
  const request = async (sent: Request) => {
    const wire = answers[requests.push(sent) - 1]
    if (wire === undefined) throw new TypeError('one request more than was expected')
    if (wire instanceof Error) throw wire
    const { status, body = '', headers = {} } = wire
    const receivedAtMs = 5_000 + requests.length * 100
    return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body), sentAtMs: 5_000, receivedAtMs }
  }
  const call = openCaller({
    origin: { url: new URL('https://plane.example.com/'), request, close: async () => undefined },
    credential: apiKey('default', async () => 'key'),
    queue: openQueue({
      budget: { requests: 60, windowMs: 60_000, reserve: 0, blockedMaxMs: 60_000 },
      clock,
      random: () => 0,
      lengthMax: 10,
      inFlightMax: 1,
    }),
    clock,
    random: () => 0,
    retries: { ...usualRetries, attemptsMax: answers.length, throttledMax: 0 },
    gracePeriodMs: 0,
    observe: ({ operation }) => operations.push(operation),
    workspace: { name: 'acme', slug: 'acme-stg' },
  })
  const writing = write(call, { name: acme, slug: 'acme-stg' }, change, sending, never)
  await Promise.all([writing.catch(() => undefined), clock.run()])
  return { outcome: await writing, requests, operations }
}

/** The only change that a small world needs. */
const only = (world: SmallWorld): Change => planOf({ directories: { corp: ['devs', 'ops'] }, ...world }).changes[0] as Change
const renamed = { previously: 'ops' as GroupName }
const changes = {
  create: () => only({ rules: [rule('devs', 'ENG', 'member')] }),
  'create everywhere': () => only({ rules: [rule('devs', '*', 'member')] }),
  'create on the workspace': () => only({ rules: [rule('devs', 'workspace', 'member')] }),
  patch: () => only({ rules: [rule('devs', 'ENG', 'member')], existing: ['ENG devs guest'] }),
  rename: () => only({ rules: [rule('devs', 'ENG', 'guest', renamed)], existing: ['ENG ops guest'] }),
  'rename with another role': () => only({ rules: [rule('devs', 'ENG', 'member', renamed)], existing: ['ENG ops guest'] }),
  delete: () => only({ removed: ['ENG ops'], existing: ['ENG ops guest'] }),
  'delete on the workspace': () => only({ removed: ['workspace ops'], existing: ['workspace ops guest'] }),
  settings: () =>
    only({
      groupSync: { wanted: { autoRemove: false, enabled: true }, because: { at: { file: 'g', line: 1, column: 1 } } },
      existingSync: { autoRemove: true, enabled: true },
    }),
}
type Kind = keyof typeof changes

const row = { id: 'm7', idp_group_name: 'devs', role: 'contributor', project: 'ENG', all_projects: false }

describe('what goes over the wire', () => {
  const mappings = '/api/v1/workspaces/acme-stg/group-sync/project-mappings/'
  const onWorkspace = '/api/v1/workspaces/acme-stg/group-sync/workspace-mappings/'
  test.each<[Kind, string, string, unknown]>([
    [
      'create',
      'project-mappings.create',
      `POST ${mappings}`,
      { idp_group_name: 'devs', role: 'member', project: 'ENG', all_projects: false },
    ],
    ['create everywhere', 'project-mappings.create', `POST ${mappings}`, { idp_group_name: 'devs', role: 'member', all_projects: true }],
    ['create on the workspace', 'workspace-mappings.create', `POST ${onWorkspace}`, { idp_group_name: 'devs', role: 'member' }],
    ['patch', 'project-mappings.patch', `PATCH ${mappings}m0/`, { role: 'member' }],
    ['rename', 'project-mappings.patch', `PATCH ${mappings}m0/`, { idp_group_name: 'devs' }],
    ['rename with another role', 'project-mappings.patch', `PATCH ${mappings}m0/`, { idp_group_name: 'devs', role: 'member' }],
    ['delete', 'project-mappings.delete', `DELETE ${mappings}m0/`, undefined],
    ['delete on the workspace', 'workspace-mappings.delete', `DELETE ${onWorkspace}m0/`, undefined],
    ['settings', 'config.patch', 'PATCH /api/v1/workspaces/acme-stg/group-sync/config/', { auto_remove: false }],
  ])('%s: %s', async (kind, name, line, body) => {
    const { requests, operations } = await wrote(changes[kind](), { status: 500 })
    expect(operations).toEqual([name])
    expect(requests.map((sent) => [`${sent.method} ${sent.path}`, sent.body === undefined ? undefined : JSON.parse(sent.body)])).toEqual([
      [line, body],
    ])
  })

  test('nothing, where nothing would change: Plane refuses an empty PATCH', async () => {
    const change = { ...changes.settings(), after: {} } as Change
    expect(await wrote(change, { status: 200 })).toMatchObject({ outcome: { kind: 'notSent', why: 'nothing would change' }, requests: [] })
  })

  test('nothing, where it is no longer allowed when its turn comes', async () => {
    expect(await wrote(changes.create(), { status: 201, body: row }, { whyNot: () => 'suspended' })).toMatchObject({
      outcome: { kind: 'notSent', why: 'suspended' },
      requests: [],
    })
  })
})

describe('a success', () => {
  test.each<[Kind, number]>([
    ['create', 201],
    ['create', 200],
    ['patch', 200],
    ['rename with another role', 200],
    ['rename with another role', 201],
  ])('%s %i: done, with the id and the role of the answer', async (kind, status) => {
    expect((await wrote(changes[kind](), { status, body: row })).outcome).toEqual({ kind: 'done', mapping: 'm7', echoed: 'contributor' })
  })
  test.each<Kind>(['create', 'patch', 'rename with another role'])(
    '%s answered without a role: it is unknown what is stored',
    async (kind) => {
      const { outcome } = await wrote(changes[kind](), { status: 200, body: { ...row, role: null } })
      expect(outcome).toMatchObject({ kind: 'unknown', why: expect.stringContaining('role: null') as string })
    },
  )
  test('of a rename that sends no role says nothing of roles: somebody may have changed it meanwhile', async () => {
    expect((await wrote(changes.rename(), { status: 200, body: row })).outcome).toEqual({ kind: 'done', mapping: 'm7' })
  })
  test.each<[Kind, object, string]>([
    ['create', { idp_group_name: 'DEVS' }, 'acme/project/ENG/DEVS'],
    ['create', { project: 'OPS' }, 'acme/project/OPS/devs'],
    ['create everywhere', {}, 'acme/project/ENG/devs'],
    ['rename', { idp_group_name: 'ops' }, 'acme/project/ENG/ops'],
    ['patch', { idp_group_name: 'DEVS' }, 'acme/project/ENG/DEVS'],
  ])('%s answered with another mapping %j: kept as %s', async (kind, other, storedKey) => {
    expect((await wrote(changes[kind](), { status: 201, body: { ...row, ...other } })).outcome).toMatchObject({ kind: 'done', storedKey })
  })
  test('of a mapping to the workspace is read as one', async () => {
    const body = { id: 'm8', idp_group_name: 'devs', role: 'member' }
    expect((await wrote(changes['create on the workspace'](), { status: 201, body })).outcome).toEqual({
      kind: 'done',
      mapping: 'm8',
      echoed: 'member',
    })
  })
  test('delete 204: done', async () => {
    expect((await wrote(changes.delete(), { status: 204 })).outcome).toEqual({ kind: 'done' })
  })
  test.each([
    ['as they were sent', { auto_remove: false }, {}],
    ['without those that were sent: it is not known that they differ', { is_enabled: true }, {}],
    ['with another value of one that was not sent', { auto_remove: false, is_enabled: false }, {}],
    ['with another value of one that was sent', { auto_remove: true, is_enabled: true }, { answered: { autoRemove: true } }],
  ])('of the settings has them %s', async (_how, body, more) => {
    expect((await wrote(changes.settings(), { status: 200, body })).outcome).toStrictEqual({ kind: 'done', ...more })
  })
  test.each([
    ['guest', 'guest', {}],
    ['guest', 'owner', { answered: { defaultWorkspaceRole: 'owner' } }],
    ['guest', null, { answered: { defaultWorkspaceRole: null } }],
    [null, 'owner', { answered: { defaultWorkspaceRole: 'owner' } }],
    [null, null, {}],
    [null, '', {}],
  ])('of the default role %j has %j', async (sent, default_workspace_role, more) => {
    const change = { ...changes.settings(), after: { defaultWorkspaceRole: sent } } as Change
    expect((await wrote(change, { status: 200, body: { default_workspace_role } })).outcome).toStrictEqual({ kind: 'done', ...more })
  })
})

describe('refused: a complete 3xx or 4xx says that nothing was done', () => {
  test.each<[Kind, number, string]>([
    ['create', 300, 'redirected'],
    ['create', 399, 'redirected'],
    ['create', 400, 'rejected'],
    ['create', 401, 'credential'],
    ['create', 402, 'rejected'],
    ['create', 403, 'forbidden'],
    ['create', 409, 'conflict'],
    ['create', 422, 'rejected'],
    ['create', 429, 'throttled'],
    ['create', 499, 'rejected'],
    // A 404 for a collection or for the settings means a wrong address. A 404 for a mapping means that the mapping is gone.
    ['create', 404, 'rejected'],
    ['settings', 404, 'rejected'],
    ['create', 410, 'rejected'],
    ['patch', 404, 'gone'],
    ['patch', 410, 'gone'],
    ['rename', 404, 'gone'],
    ['delete', 404, 'gone'],
    ['delete', 400, 'rejected'],
  ])('%s %i: %s', async (kind, status, code) => {
    expect((await wrote(changes[kind](), { status, body: { detail: 'no' } })).outcome).toStrictEqual({
      kind: 'refused',
      status,
      code,
      sentence: expect.stringContaining('no') as string,
    })
  })

  test('the sentence has what to do next, and not the place, which the change names', async () => {
    const { outcome } = await wrote(changes.create(), { status: 301, headers: { location: 'https://other.example.com/' } })
    expect(outcome).toMatchObject({
      sentence:
        'a redirect to https://other.example.com/, which is not followed: set the address of Plane (service.baseUrl, or PLANE_BASE_URL) to the final address',
    })
    const rejected = await wrote(changes.create(), { status: 400, body: { role: ['Invalid role.'] } })
    expect(rejected.outcome).toMatchObject({ sentence: 'role: Invalid role.' })
  })

  test('with the time that the service asks to wait', async () => {
    expect((await wrote(changes.create(), { status: 429, headers: { 'retry-after': '7' } })).outcome).toMatchObject({ retryAfterMs: 7_000 })
  })
})

describe('unknown: it may have been executed, or may yet be', () => {
  test.each<[Kind, number, unknown]>([
    ['create', 500, ''],
    ['create', 503, ''],
    ['delete', 500, ''],
    ['create', 408, ''],
    ['create', 299, row],
    ['create', 202, row],
    ['create', 204, ''],
    ['delete', 200, ''],
    ['delete', 200, {}],
    ['delete', 200, { detail: 'ok' }],
    ['delete', 200, '<!doctype html><title>Sign in</title>'],
    ['delete', 201, ''],
    ['delete', 202, ''],
    ['create', 201, ''],
    ['create', 201, '{"id":'],
    ['create', 201, { ...row, id: undefined }],
    ['create on the workspace', 201, []],
    ['settings', 200, {}],
    ['settings', 204, ''],
  ])('%s %i %j', async (kind, status, body) => {
    expect((await wrote(changes[kind](), { status, body })).outcome).toEqual({
      kind: 'unknown',
      why: expect.stringMatching(/\w/) as string,
      lastByteMs: 5_100,
      status,
    })
  })

  test.each<[number, string, string]>([
    [
      200,
      '',
      'an answer of unexpected shape: 200, but Plane answers a DELETE with 204: check the address of Plane (service.baseUrl, or PLANE_BASE_URL)',
    ],
    [
      200,
      '{}',
      'an answer of unexpected shape: 200, but Plane answers a DELETE with 204: check the address of Plane (service.baseUrl, or PLANE_BASE_URL)',
    ],
    [
      200,
      '<title>Sign in</title>',
      'a web page instead of JSON (200: a web page "Sign in"): the address of Plane (service.baseUrl, or PLANE_BASE_URL) must be that of the API',
    ],
    [201, '{}', 'an unexpected answer (201: {})'],
  ])('delete %i %s: %s', async (status, body, why) => {
    expect((await wrote(changes.delete(), { status, body })).outcome).toMatchObject({ why: expect.stringContaining(why) as string })
  })

  test.each(['cut', 'deadline', 'tooLarge', 'aborted', 'unreachable'] as const)('no answer: %s, after a byte was sent', async (code) => {
    expect((await wrote(changes.create(), new NoAnswer(code, true, 5_200, 'it broke'))).outcome).toStrictEqual({
      kind: 'unknown',
      why: expect.stringContaining('it broke') as string,
      lastByteMs: 5_200,
    })
  })
})

describe('a write that is repeated, since twice is like once', () => {
  const cut = new NoAnswer('cut', true, 5_150, 'it broke')
  const unreachable = new NoAnswer('unreachable', false, 5_250, 'nobody there')
  const failed = { status: 503 }
  const ok = { status: 200, body: row }
  test.each<[string, Kind, readonly Wire[], object]>([
    ['is done, and says until when an earlier sending may be', 'patch', [failed, ok], { kind: 'done', earlierLastByteMs: 5_100 }],
    ['whose answer was cut', 'patch', [cut, ok], { kind: 'done', earlierLastByteMs: 5_150 }],
    ['the last of the earlier ones counts', 'patch', [cut, failed, ok], { kind: 'done', earlierLastByteMs: 5_200 }],
    ['of which nothing was sent before', 'patch', [unreachable, ok], { kind: 'done' }],
    ['a delete that is done then', 'delete', [cut, { status: 204 }], { kind: 'done', earlierLastByteMs: 5_150 }],
    ['that is refused then', 'patch', [failed, { status: 400 }], { kind: 'refused', earlierLastByteMs: 5_100 }],
    ['that is not sent then', 'patch', [failed, unreachable], { kind: 'notSent', earlierLastByteMs: 5_100 }],
    ['that fails again', 'patch', [failed, failed], { kind: 'unknown', lastByteMs: 5_200 }],
    ['that is answered with nonsense then', 'patch', [failed, { status: 200, body: '{' }], { kind: 'unknown', lastByteMs: 5_200 }],
  ])('%s: %s', async (_name, kind, wires, expected) => {
    const { outcome, requests } = await wrote(changes[kind](), wires)
    expect(outcome).toMatchObject(expected)
    expect('earlierLastByteMs' in outcome).toBe('earlierLastByteMs' in expected)
    expect(requests).toHaveLength(wires.length)
  })

  test('a create is not one of them', async () => {
    const { outcome, requests } = await wrote(changes.create(), [failed, { status: 201, body: row }])
    expect([outcome.kind, requests.length]).toEqual(['unknown', 1])
  })
})

describe('a 404 or 410 says nothing of an earlier sending that may have been executed', () => {
  const bodies: readonly (readonly [string, unknown])[] = [
    ["Plane's, of an object", { detail: 'Not found.' }],
    ["Plane's, of an object, by its views", { error: 'The requested resource does not exist.' }],
    ["Plane's, of an address", { error: 'Page not found.' }],
    ["Plane's, of a workspace", { error: 'Workspace not found.' }],
    ["a proxy's text", '404 page not found'],
    ["a proxy's page", '<html><title>404 Not Found</title></html>'],
    ["a gateway's", { message: 'no Route matched with those values' }],
    ['nothing', ''],
    ['half of it', '{"detail":"Not fou'],
  ]
  const cut = new NoAnswer('cut', true, 5_150, 'it broke')
  const unsent = new NoAnswer('unreachable', false, 5_250, 'nobody there')
  const failed = { status: 503 }
  const kinds: readonly Kind[] = ['delete', 'delete on the workspace', 'patch', 'rename', 'settings']
  const cases = kinds.flatMap((kind) => [404, 410].flatMap((status) => bodies.map(([whose, body]) => [kind, status, whose, body] as const)))

  test.each(cases)('%s %i, %s', async (kind, status, _whose, body) => {
    const answer = { status, body }
    const after = async (...wires: readonly Wire[]) => (await wrote(changes[kind](), [...wires, answer])).outcome
    const unknown = (lastByteMs: number) => ({
      kind: 'unknown',
      status,
      lastByteMs,
      why: expect.stringMatching(
        new RegExp(
          `^an earlier sending got no usable answer, and the repetition says: .*${status}.*; the next list shows what was executed$`,
        ),
      ) as string,
    })
    expect(await after(cut)).toStrictEqual(unknown(5_150))
    expect(await after(failed)).toStrictEqual(unknown(5_100))
    expect(await after(cut, failed)).toStrictEqual(unknown(5_200))
    expect(await after(cut, unsent)).toStrictEqual(unknown(5_150))
    const refused = { kind: 'refused', status, code: kind === 'settings' ? 'rejected' : 'gone', sentence: expect.any(String) as string }
    expect(await after()).toStrictEqual(refused)
    expect(await after(unsent)).toStrictEqual(refused)
  })
})

test.each(['unreachable', 'tls', 'deadline', 'aborted'] as const)('not sent: %s, before any byte left', async (code) => {
  expect((await wrote(changes.create(), new NoAnswer(code, false, 5_200, 'it broke'))).outcome).toStrictEqual({
    kind: 'notSent',
    why: expect.stringContaining('it broke') as string,
  })
})

test('a sentence that ends with a full stop loses it before the cure', async () => {
  expect((await wrote(changes.create(), new NoAnswer('cut', true, 5_200, 'it broke.'))).outcome).toMatchObject({
    why: expect.stringMatching(/^it broke: Plane, or a proxy/) as string,
  })
})

test('a bug is not taken for an outcome', async () => {
  await expect(wrote(changes.create(), new TypeError('a bug'))).rejects.toThrow('a bug')
})
