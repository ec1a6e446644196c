/** The admin API as the bootstrap administrator. `path` is below `/admin/realms`. `id` is the id of the created object. */
export type Admin = (method: string, path: string, body?: unknown) => Promise<{ readonly id: string; readonly json: unknown }>

export const realm = 't1'
export const secret = 's3cret-of-a-test'
export const groupsTotal = 443

/** Service accounts by their client id, with their roles of `realm-management`. */
const accounts = { 'view-users': ['view-users'], 'query-groups': ['query-groups'], none: [], 'short-lived': ['view-users'] } as const

export function adminOf(url: URL): Admin {
  let token = ''
  let untilMs = 0
  async function renew(): Promise<void> {
    const form = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username: 'admin', password: 'admin' })
    const answer = await fetch(new URL('/realms/master/protocol/openid-connect/token', url), { method: 'POST', body: form })
    if (!answer.ok) throw new Error(`no token for the administrator: ${answer.status} ${await answer.text()}`)
    token = ((await answer.json()) as { access_token: string }).access_token
    untilMs = Date.now() + 30_000 // the token lives 60 s
  }
  return async (method, path, body) => {
    if (Date.now() > untilMs) await renew()
    const answer = await fetch(new URL(`/admin/realms${path}`, url), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return { id: answer.headers.get('location')?.split('/').at(-1) ?? '', json: text === '' ? undefined : (JSON.parse(text) as unknown) }
  }
}

/**
 * 443 groups on three levels. One group has 130 children, one has 260 people, of whom every tenth is disabled. Some names have special characters.
 * One mapper has full paths, one has not.
 */
export async function fillRealm(admin: Admin): Promise<void> {
  await admin('POST', '', { realm, enabled: true, sslRequired: 'none' })
  await makeAccounts(admin)
  await makeGroups(admin)
  await makePeople(admin)
}

async function makeAccounts(admin: Admin): Promise<void> {
  for (const [clientId, roles] of Object.entries(accounts)) {
    const attributes = clientId === 'short-lived' ? { 'access.token.lifespan': '2' } : {}
    await makeAccount(admin, roles, { clientId, secret, attributes })
  }
  await admin('POST', `/${realm}/clients`, {
    clientId: 'login',
    publicClient: true,
    directAccessGrantsEnabled: true,
    protocolMappers: [mapper('groups', true), mapper('bare', false)],
  })
}

/** A client with a service account that has these roles of `realm-management`. @param client how it proves its identity */
export async function makeAccount(admin: Admin, roles: readonly string[], client: object): Promise<void> {
  const { json: clients } = await admin('GET', `/${realm}/clients?clientId=realm-management`)
  const management = idOf(clients)
  const usual = { publicClient: false, serviceAccountsEnabled: true, standardFlowEnabled: false }
  const { id } = await admin('POST', `/${realm}/clients`, { ...usual, ...client })
  const { json: user } = await admin('GET', `/${realm}/clients/${id}/service-account-user`)
  const found = await Promise.all(roles.map((role) => admin('GET', `/${realm}/clients/${management}/roles/${role}`)))
  await admin(
    'POST',
    `/${realm}/users/${idOf(user)}/role-mappings/clients/${management}`,
    found.map(({ json }) => json),
  )
}

const mapper = (claim: string, full: boolean) => ({
  name: claim,
  protocol: 'openid-connect',
  protocolMapper: 'oidc-group-membership-mapper',
  config: { 'claim.name': claim, 'full.path': `${full}`, 'access.token.claim': 'true' },
})

async function makeGroups(admin: Admin): Promise<void> {
  const make = async (name: string, parent?: string) =>
    (await admin('POST', `/${realm}/groups${parent === undefined ? '' : `/${parent}/children`}`, { name })).id
  for (let i = 1; i <= 12; i++) {
    const team = await make(`Team ${String(i).padStart(2, '0')}`)
    for (let j = 1; j <= 4; j++) {
      const sub = await make(`sub-${i}-${j}`, team)
      for (let k = 1; k <= 5; k++) await make(`leaf-${i}-${j}-${k}`, sub)
    }
  }
  for (const name of ['a/b', 'tilde~x', 'tilde~/y', ' Space ', 'ÜBER', 'uber', 'Case', 'case', 'x,y=z', '100%', 'Empty', 'Big'])
    await make(name)
  const wide = await make('Wide')
  for (let i = 0; i < 130; i++) await make(`w${String(i).padStart(3, '0')}`, wide)
}

async function makePeople(admin: Admin): Promise<void> {
  const users = Array.from({ length: 260 }, (_, i) => ({ username: `u${i}`, enabled: i % 10 !== 0, groups: ['/Big'] }))
  await admin('POST', `/${realm}/partialImport`, { ifResourceExists: 'FAIL', users })
  const { id } = await admin('POST', `/${realm}/users`, {
    username: 'anna',
    email: 'anna@example.org',
    firstName: 'Anna',
    lastName: 'Example',
    enabled: true,
    credentials: [{ type: 'password', value: secret, temporary: false }],
  })
  for (const name of ['leaf-1-1-1', 'a/b', 'tilde~/y']) {
    const { json } = await admin('GET', `/${realm}/groups?search=${encodeURIComponent(name)}&exact=true&populateHierarchy=false`)
    await admin('PUT', `/${realm}/users/${id}/groups/${idOf(json)}`)
  }
}

/** The id of an object, or of the first object of a list. */
function idOf(json: unknown): string {
  const one: unknown = Array.isArray(json) ? json[0] : json
  if (one instanceof Object && 'id' in one && typeof one.id === 'string') return one.id
  throw new Error(`there is no id in ${JSON.stringify(json)}`)
}
