import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { counted } from '../../unit/bounds.ts'
import { clientId, entraStandIn, tenantId } from '../standIns/entra.ts'
import { user as entraUser, idOf } from '../standIns/entraMembers.ts'
import { googleStandIn } from '../standIns/google.ts'
import { user as googleUser } from '../standIns/googleMembers.ts'
import { everyone, group, oktaStandIn } from '../standIns/okta.ts'
import { user as oktaUser } from '../standIns/oktaMembers.ts'
import { openPlace } from './program.ts'

/** Two groups: `devs` has two people, and a third one who cannot sign in; `ops` has the second of them, and another one. */
type Cloud = {
  readonly devs: string
  readonly ops: string
  readonly open: () => Promise<AsyncDisposable & { readonly url: URL }>
  readonly settings: (url: URL) => object
}

const secret = { env: 'PLANE_API_KEY' }
const clouds: Readonly<Record<'entra' | 'okta' | 'google', Cloud>> = {
  entra: {
    devs: idOf(1),
    ops: idOf(2),
    open: () =>
      entraStandIn({
        groups: [idOf(1), idOf(2)].map((id) => ({ id, displayName: id })),
        members: {
          [idOf(1)]: [entraUser(11), entraUser(12), entraUser(13, { accountEnabled: false })],
          [idOf(2)]: [entraUser(12), entraUser(14)],
        },
      }),
    settings: ({ origin }) => ({
      kind: 'entra',
      tenant: tenantId,
      graphUrl: origin,
      loginUrl: origin,
      client: { id: clientId, secret },
      people: {},
    }),
  },
  okta: {
    devs: 'devs',
    ops: 'ops',
    open: () =>
      oktaStandIn({
        groups: [everyone, group('00g1', 'devs'), group('00g2', 'ops')],
        users: { '00g1': [oktaUser(1), oktaUser(2), oktaUser(3, 'SUSPENDED')], '00g2': [oktaUser(2), oktaUser(4)] },
        apiTokens: ['key-of-a-test'],
      }),
    settings: ({ origin }) => ({ kind: 'okta', url: origin, token: secret, people: {} }),
  },
  google: {
    devs: 'devs@example.com',
    ops: 'ops@example.com',
    open: () =>
      googleStandIn(
        ['devs', 'ops'].map((id) => ({ id, email: `${id}@example.com`, name: id })),
        {
          members: {
            devs: [googleUser(1), googleUser(2), googleUser(3, { status: 'SUSPENDED' })],
            ops: [googleUser(2), googleUser(4)],
          },
        },
      ),
    settings: ({ origin }) => ({
      kind: 'google',
      url: origin,
      account: { token: { file: 'google-token' } },
      groups: { name: 'email' },
      people: {},
    }),
  },
}

/** In Plane `ops` has its role already. */
const declaring = ({ devs, ops }: Pick<Cloud, 'devs' | 'ops'>) => ({
  version: 1,
  workspaces: {
    acme: {
      projectRoles: [
        { group: devs, project: 'ENG', role: 'member' },
        { group: ops, project: 'ENG', role: 'guest' },
      ],
    },
  },
})

async function placeFor(cloud: Cloud, url: URL) {
  const ops = { idp_group_name: cloud.ops, project: 'ENG', role: 'guest' }
  const place = await openPlace({
    declaration: declaring(cloud),
    groups: [],
    workspaces: { acme: { projects: ['ENG'], projectMappings: [ops] } },
    settings: { directories: { corp: cloud.settings(url) } },
  })
  await place.write('google-token', 'static-token')
  return place
}

type Plan = {
  readonly workspaces: readonly { readonly changes: readonly { readonly group: string; readonly effect?: object }[] }[]
  readonly findings: readonly { readonly code: string }[]
}

describe.each(Object.entries(clouds))('%s', (_kind, cloud) => {
  test('a plan says how many people get a role, and no output and no file says who they are', async () => {
    await using server = await cloud.open()
    await using place = await placeFor(cloud, server.url)
    const json = await place.run(['plan', '--format', 'json', '--log-level', 'debug'])
    const effects = (JSON.parse(json.out) as Plan).workspaces[0]?.changes.map(({ group, effect }) => ({ group, effect }))
    // The second person of devs is a guest already, because of ops.
    const { kind: _, ...numbers } = counted({ newly: 1, raised: 1 })
    expect(effects).toEqual([{ group: cloud.devs, effect: numbers }])
    const text = await place.run(['plan'])
    expect(text.out.replaceAll(/\s+/g, ' ')).toMatch(/→ member .*1 new, 1 raised/)
    const applied = await place.run(['apply', '--yes', '--log-level', 'debug'])
    expect(applied.code).toBe(0)
    const files = await Promise.all((await readdir(place.path('state'))).map((name) => place.read(`state/${name}`)))
    const all = [json, text, applied].flatMap(({ out, err }) => [out, err]).concat(files)
    for (const output of all) expect(output).not.toMatch(/person-\d|login-\d|00u\d|"10\d"|0000000001\d/)
  })
})

test('without the right to read users the plan has no numbers, and says which right is missing', async () => {
  const cloud = clouds.entra
  const members = { [idOf(1)]: [entraUser(11)], [idOf(2)]: [entraUser(12)] }
  const groups = [idOf(1), idOf(2)].map((id) => ({ id, displayName: id }))
  await using server = await entraStandIn({ groups, members, permissions: ['GroupMember.Read.All'] })
  await using place = await placeFor(cloud, server.url)
  const { out } = await place.run(['plan'])
  const line = out.replaceAll(/\s+/g, ' ')
  expect(line).toContain('the members of some groups were not read, so their changes show no number of people')
  expect(line).toContain('the application permissions GroupMember.Read.All and User.Read.All of Microsoft Graph')
  expect(line).not.toMatch(/[0-9] new/)
})
