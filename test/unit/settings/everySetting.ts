const ownLimit = { count: 1, share: '1%', minExisting: 1 }

/** Valid settings that name all settings. `everySetting.test.ts` checks that none is missing. */
export const everySetting = {
  version: 1,
  declaration: './groups',
  waivers: { files: ['platform/**'] },
  approvals: 'files-only',
  fencesFile: './fences.yaml',
  fences: {
    'platform/**': 'everything',
    'teams/payments/**': {
      owner: 'team-payments',
      workspace: 'acme',
      workspaceRoles: { groups: ['pay-leads'], roles: ['guest'] },
      projectRoles: { projects: ['PAY', 'PAYPLAT'], allProjects: false, groups: ['pay-*', 'all-staff'], roles: ['guest', 'member'] },
      may: ['removed', 'expires'],
      demand: { reason: true, expires: { member: '90d' } },
    },
  },
  service: {
    baseUrl: 'https://plane.example.com',
    credential: { apiKey: { env: 'PLANE_API_KEY' } },
    credentials: {
      other: {
        oauth: { clientId: 'plane-group-sync', clientSecret: { file: 'client-secret' }, installation: '6f1c', scopes: ['projects:read'] },
      },
    },
    limit: { requests: 60, window: '1m', reserve: '10%' },
    timeout: '30s',
    unknownOutcomeWait: '2m',
    caFile: 'ca.pem',
    allowPlaintext: false,
  },
  workspaces: {
    acme: {
      slug: 'acme-stg',
      credential: 'other',
      policy: 'observe',
      suspend: true,
      guards: {
        raises: ownLimit,
        lowers: ownLimit,
        deletes: ownLimit,
        creates: { count: 1 },
        people: { lose: 1, raise: 1, gainProtected: 1 },
      },
    },
  },
  directories: {
    corp: {
      kind: 'ldap',
      addresses: ['ldaps://ldap1.example.com', 'ldaps://ldap2.example.com:636'],
      startTls: false,
      allowPlaintext: false,
      serverName: 'ldap.example.com',
      bind: { dn: 'cn=reader,dc=example,dc=com', password: { file: 'ldap-password' }, proof: 'none' },
      groups: { base: 'dc=example,dc=com', scope: 'one', filter: '(cn=*)', name: 'cn', member: 'member', id: 'entryUUID' },
      people: { base: ['ou=people,dc=example,dc=com'], filter: '(objectClass=inetOrgPerson)', identity: 'mail', nested: true },
      referrals: 'ignore',
      pageSize: 500,
      membersMax: 1000,
      groupsMax: 1000,
      timeout: '30s',
      readingTimeout: '5m',
      shrink: { share: '50%', minExisting: 5 },
      expect: { atLeast: 320, names: ['all-staff'] },
      caFile: 'ca.pem',
    },
    certified: {
      kind: 'ldap',
      addresses: ['ldaps://ldap3.example.com'],
      bind: { dn: 'cn=reader,dc=example,dc=com', external: { certificateFile: 'ldap-cert.pem', key: { file: 'ldap.pem' } } },
      groups: { base: 'dc=example,dc=com' },
    },
    sso: {
      kind: 'keycloak',
      url: 'https://sso.example.com',
      realm: 'corp',
      issuer: 'https://id.example.com/realms/corp',
      client: { id: 'plane-group-sync', secret: { env: 'CLIENT_SECRET' }, authentication: 'client_secret_post' },
      allowPlaintext: false,
      groups: { name: 'path', under: '/plane', slashes: 'plain', members: true },
      people: { identity: 'email', nested: false },
      members: { pageSize: 1000 },
      pageSize: 100,
      groupsMax: 1000,
      timeout: '30s',
      readingTimeout: '5m',
      shrink: { share: '50%', minExisting: 5 },
      expect: { atLeast: 320, names: ['/plane/all-staff'] },
      caFile: 'ca.pem',
    },
    signed: {
      kind: 'keycloak',
      url: 'https://sso.example.com',
      realm: 'signed',
      client: { id: 'plane-group-sync', privateKey: { key: { file: 'client.pem' }, keyId: 'k1', certificateFile: 'client-cert.pem' } },
    },
    federated: {
      kind: 'keycloak',
      url: 'https://sso.example.com',
      realm: 'federated',
      client: { id: 'plane-group-sync', assertion: { file: '/var/run/secrets/tokens/plane-group-sync' } },
    },
    roles: {
      kind: 'keycloak',
      url: 'https://sso.example.com',
      realm: 'corp',
      client: { id: 'plane-group-sync', secret: { env: 'CLIENT_SECRET' } },
      groups: { from: { clientRoles: 'plane' } },
    },
    mutual: {
      kind: 'keycloak',
      url: 'https://sso.example.com',
      realm: 'mutual',
      client: { id: 'plane-group-sync', tls: { certificateFile: 'tls-cert.pem', key: { file: 'tls.pem' } } },
    },
    cloud: {
      kind: 'okta',
      url: 'https://example.okta.com',
      client: { id: '0oaclient', privateKey: { key: { file: 'okta.pem' }, keyId: 'k1' } },
      groups: { types: ['OKTA_GROUP', 'APP_GROUP'], name: 'samAccountName' },
      people: { identity: 'email' },
      reserve: '10%',
      pageSize: 200,
      groupsMax: 1000,
      timeout: '30s',
      readingTimeout: '5m',
      shrink: { share: '50%', minExisting: 5 },
      expect: { atLeast: 320, names: ['all-staff'] },
      caFile: 'ca.pem',
    },
    cloudByToken: { kind: 'okta', url: 'https://example.okta.com', token: { env: 'OKTA_TOKEN' } },
    workspace: {
      kind: 'google',
      account: { key: { file: 'google.json' }, subject: 'admin@example.com' },
      customer: 'C046psxkn',
      groups: { name: 'email' },
      people: { identity: 'email', nested: false },
      pageSize: 200,
      groupsMax: 1000,
      url: 'https://admin.googleapis.com',
      tokenUrl: 'https://oauth2.googleapis.com/token',
      stsUrl: 'https://sts.googleapis.com/v1/token',
      iamUrl: 'https://iamcredentials.googleapis.com',
      allowPlaintext: false,
      timeout: '30s',
      readingTimeout: '5m',
      shrink: { share: '50%', minExisting: 5 },
      expect: { atLeast: 320, names: ['all-staff@example.com'] },
      caFile: 'ca.pem',
    },
    workload: {
      kind: 'google',
      account: {
        workloadIdentity: {
          provider: 'projects/123456/locations/global/workloadIdentityPools/pool/providers/cluster',
          serviceAccount: 'reader@project.iam.gserviceaccount.com',
          token: { file: '/var/run/secrets/tokens/google' },
        },
      },
      domain: 'example.com',
    },
    given: { kind: 'google', account: { token: { file: 'google-token' } } },
    entra: {
      kind: 'entra',
      tenant: 'contoso.onmicrosoft.com',
      cloud: 'global',
      graphUrl: 'https://graph.example.com',
      loginUrl: 'https://login.example.com',
      client: { id: '00001111-aaaa-2222-bbbb-3333cccc4444', secret: { env: 'CLIENT_SECRET' } },
      allowPlaintext: false,
      groups: { name: 'id', cloudDisplayName: false, types: 'security', assigned: '11112222-bbbb-3333-cccc-4444dddd5555' },
      people: { identity: 'mail', nested: false },
      checkTotal: true,
      pageSize: 999,
      groupsMax: 1000,
      timeout: '30s',
      readingTimeout: '5m',
      shrink: { share: '50%', minExisting: 5 },
      expect: { atLeast: 320, names: ['22223333-cccc-4444-dddd-5555eeee6666'] },
      caFile: 'ca.pem',
    },
    entraSigned: {
      kind: 'entra',
      tenant: 'aaaabbbb-0000-cccc-1111-dddd2222eeee',
      client: {
        id: '00001111-aaaa-2222-bbbb-3333cccc4444',
        privateKey: { key: { file: 'client.pem' }, certificateFile: 'client-cert.pem' },
      },
    },
    entraFederated: {
      kind: 'entra',
      tenant: 'aaaabbbb-0000-cccc-1111-dddd2222eeee',
      client: { id: '00001111-aaaa-2222-bbbb-3333cccc4444', assertion: { file: '/var/run/secrets/tokens/plane-group-sync' } },
    },
    provisioned: {
      kind: 'scim',
      url: 'https://id.example.com/scim/v2',
      client: { id: 'plane-group-sync', secret: { env: 'CLIENT_SECRET' }, authentication: 'client_secret_post' },
      issuer: 'https://id.example.com',
      scopes: ['groups:read'],
      allowPlaintext: false,
      groups: { name: 'externalId', filter: 'externalId pr' },
      people: { identity: 'userName', nested: true },
      members: { pageSize: 0 },
      pageSize: 0,
      groupsMax: 1000,
      timeout: '30s',
      readingTimeout: '5m',
      shrink: { share: '50%', minExisting: 5 },
      expect: { atLeast: 320, names: ['all-staff'] },
      caFile: 'ca.pem',
    },
    provisionedAtEndpoint: {
      kind: 'scim',
      url: 'https://id.example.com/scim/v2',
      client: { id: 'plane-group-sync', privateKey: { key: { file: 'client.pem' } } },
      tokenUrl: 'https://id.example.com/oauth/token',
    },
    provisionedByToken: { kind: 'scim', url: 'https://id.example.com/scim/v2', token: { file: 'scim-token' } },
    more: { kind: 'file', path: 'more.yaml', shrink: { share: '50%', minExisting: 5 }, expect: { atLeast: 2, names: ['devs'] } },
  },
  schedule: { cron: '*/10 * * * *', timezone: 'Europe/Berlin', jitter: '30s' },
  policy: 'upsert-only',
  suspend: 'grants',
  later: { horizon: '90d' },
  unknownGroups: 'hold',
  unknownProjects: 'send',
  roles: {
    order: ['guest', 'member'],
    ordinary: { project: ['guest'], workspace: ['member'] },
    aliases: { member: 'contributor' },
  },
  guards: {
    raises: { count: 50, share: '30%', minExisting: 10 },
    lowers: { count: 50, share: '30%', minExisting: 10 },
    deletes: { count: 10, share: '20%', minExisting: 5 },
    creates: { count: 200 },
    run: { creates: 400, raises: 100, lowers: 100, deletes: 20 },
    day: { creates: 800, raises: 200, lowers: 200, deletes: 40 },
    flapping: { rounds: 3, span: '24h' },
    people: { lose: 100, raise: 100, gainProtected: 5 },
    protectedGroups: ['admins'],
  },
  journal: { folder: './state', bytesMax: 8_000_000, filesMax: 8, seenMax: 50_000 },
  notify: [
    {
      name: 'team-payments',
      owner: 'team-payments',
      url: { file: 'webhook' },
      format: 'text',
      on: ['waiting', 'ends-soon'],
      link: 'https://sync.example.com/page',
      caFile: 'ca.pem',
    },
  ],
  http: { listen: '127.0.0.1:9464', page: { token: { file: 'page-password' }, behindTls: true } },
  log: { level: 'warn', format: 'json' },
}

export type Path = readonly string[]

/** The path to each value: to maps and lists, and to the values in them. */
export function pathsOf(value: unknown, before: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, below]) => [[...before, key], ...pathsOf(below, [...before, key])])
}

export function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((here, key) => (here as Record<string, unknown>)[key], value)
}

/** The same value with another value at one place. `undefined` removes the value there. */
export function edited(value: unknown, [key, ...rest]: Path, to: unknown): unknown {
  if (key === undefined) return to
  const entries = Object.entries(value ?? {}).filter(([name]) => name !== key)
  const below = edited((value as Record<string, unknown> | undefined)?.[key], rest, to)
  const all: [string, unknown][] = below === undefined ? entries : [...entries, [key, below]]
  return Array.isArray(value) ? all.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, one]) => one) : Object.fromEntries(all)
}
