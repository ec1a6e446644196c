/** Values of a setting that can never work. `validate` refuses them without asking a server. */
export type NeverWorks = readonly (readonly [value: unknown, message: RegExp])[]

const esc = '\u001b'
const [notText, empty, control] = [/must be a text|cannot be a list/, /must not be empty|has no value|is not/, /control character|is not/]
const text: NeverWorks = [
  [[1], notText],
  ['', empty],
  [`a${esc}b`, control],
]
const flag: NeverWorks = [
  ['yes', /must be true or false/],
  [1, /must be true or false/],
]
const share: NeverWorks = ['200%', '100.5%', '-1%', '10', '1e1%', ' 5%'].map((value) => [value, /a share is a percentage from 0% to 100%/])
const duration = (...values: readonly string[]): NeverWorks => [
  ...values.map((value) => [value, /this is (?:shorter|longer) than/] as const),
  ['5', /a duration is a whole number with a unit/],
  ['1.5h', /a duration is a whole number with a unit/],
  ['999999999d', /this is longer than/],
  [30, /must be a text, this is 30/],
]
const number = (least: number, most = Number.MAX_SAFE_INTEGER): NeverWorks => [
  [least - 1, new RegExp(`must be at least ${least}$`)],
  [most + 1, new RegExp(`must be at most ${most}$`)],
  [least + 0.5, /must be a whole number/],
  [String(least), /must be a number/],
]
const hook = { url: { env: 'HOOK' }, format: 'text' }
const choice = (...values: readonly unknown[]): NeverWorks => values.map((value) => [value, /cannot be/])
// Where the sample has the other of the two already, that is told first.
const noReference = /must say where the secret is|has both "file" and "env"|has an empty "(?:file|env)"|is empty/
const secret: NeverWorks = [
  ['', noReference],
  [`a${esc}b`, noReference],
]
const email: NeverWorks = ['', 'reader', 'a@b@c', `a@b${esc}`].map((value) => [value, /is not an e-mail address/])
const attribute: NeverWorks = ['', 'c n', 'cn,ou', '(cn=*)', `cn${esc}`, '1cn'].map((value) => [value, /is not the name of an attribute/])
const fencedGroups: NeverWorks = [
  [[], /must have at least one item/],
  [[''], /must not be empty/],
  [['x'.repeat(256)], /must have at most 255 characters/],
  [['pay-[ab]*'], /a glob can only have \* and \?/],
  [['{pay,ops}-*'], /a glob can only have \* and \?/],
  ['pay-*', /must be a list/],
]
const fencedRoles: NeverWorks = [
  [[], /must have at least one item/],
  [['guest', 'guest'], /a role is here twice/],
  [['membr'], /"membr" is not one of the roles/],
  ['guest', /must be a list/],
]
const limit: Readonly<Record<string, NeverWorks>> = { count: number(0), share, minExisting: number(0) }
const sums: Readonly<Record<string, NeverWorks>> = { creates: number(0), raises: number(0), lowers: number(0), deletes: number(0) }
const peopleLimits: Readonly<Record<string, NeverWorks>> = { lose: number(0), raise: number(0), gainProtected: number(0) }
const shrink: Readonly<Record<string, NeverWorks>> = { share, minExisting: number(0) }

const expect: Readonly<Record<string, NeverWorks>> = {
  atLeast: number(1),
  names: [
    ['all-staff', /must be a list/],
    [[], /must have at least 1|must not be empty|at least/],
    [[''], /must not be empty|must have/],
    [['a'.repeat(256)], /at most 255|longer/],
  ],
}

const below = (place: string, entries: Readonly<Record<string, NeverWorks>>) =>
  Object.fromEntries(Object.entries(entries).map(([name, one]) => [`${place}.${name}`, one]))

export const address: NeverWorks = [
  ['plane.example.com', /not an address of HTTP/],
  ['ftp://plane.example.com', /not an address of HTTP/],
  ['https://u:p@plane.example.com', /must not contain credentials/],
  ['https://plane.example.com?x', /must not have a query/],
  ['https://1.2', /not written as an address of HTTP/],
  ['http://plane.example.com', /plain http:/],
]
const credential: Readonly<Record<string, NeverWorks>> = {
  'apiKey.file': secret,
  'apiKey.env': secret,
  'oauth.clientId': text,
  'oauth.clientSecret.file': secret,
  'oauth.clientSecret.env': secret,
  'oauth.installation': text,
  'oauth.scopes': [
    [['a b'], /not an OAuth scope/],
    [[''], /not an OAuth scope/],
    ['projects:read', /must be a list/],
  ],
}
/** The settings of an OAuth client of a directory. */
const client: Readonly<Record<string, NeverWorks>> = {
  'client.id': text,
  'client.secret.file': secret,
  'client.secret.env': secret,
  'client.authentication': choice('basic', 'private_key_jwt'),
  'client.privateKey.key.file': secret,
  'client.privateKey.key.env': secret,
  'client.privateKey.keyId': text,
  'client.privateKey.certificateFile': text,
  'client.assertion.file': secret,
  'client.tls.certificateFile': text,
  'client.tls.key.file': secret,
  'client.tls.key.env': secret,
}
const readingTimeout = duration('0s', '9ms', '2d')
const timeout = duration('0s', '0ms', '9ms', '2h', '61m')
const policy = choice('sync-all', 'none', true)
const suspend = choice('yes', 'no', 'off', 'all', 'Grants', {}, 1)
const role = /is not the slug of a role|is not one of the roles/

const wrongBases: NeverWorks = ['Groups', 'ou=groups,', 'dc', 'ou=a\\', ['dc=x', 'groups'], `x${esc}`].map((value) => [
  value,
  /is not a DN/,
])
const wrongFilters: NeverWorks = [
  ['', /it is empty/],
  ['(cn=a', /a parenthesis is missing/],
  ['cn=a)', /a parenthesis is missing/],
  ['(&(cn=a)x)', /parentheses do not match/],
  ['(&)', /parentheses do not match/],
  ['(cn)', /not written as \(attribute=value\)/],
  ['(c n=a)', /not written as \(attribute=value\)/],
  ['(=a)', /the name of an attribute/],
  ['( cn=a )', /the name of an attribute/],
  ['(cn=\\zz)', /two hex digits/],
  ['(cn=a(b)c)', /is not escaped/],
]

/** By the names of `leavesOf`. `test/unit/settings/neverWorks.long.test.ts` requires an entry for each setting of the schema. */
export const neverWorks: Readonly<Record<string, NeverWorks>> = {
  ...below('service', {
    baseUrl: [
      ...address,
      ['https://plane.example.com/api/v1', /contains the path of the API/],
      ['https://plane.example.com/plane/api/v1/', /contains the path of the API/],
      ['https://plane.example.com/api/v1/workspaces/acme', /contains the path of the API/],
    ],
    timeout,
    unknownOutcomeWait: duration('0s', '0ms', '1ms', '999ms', '2d'),
    caFile: text,
    allowPlaintext: flag,
    'limit.requests': number(1),
    'limit.window': duration('0s', '999ms', '2d'),
    'limit.reserve': [...share, ['100%', /the reserve leaves nothing/]],
    ...below('credential', credential),
    ...below('credentials.<name>', credential),
  }),
  ...below('workspaces.<name>', {
    slug: ['', '../admin', 'a/b', 'a b', 'ä', `a${esc}`, '.', 'a?b'].map((value) => [value, /cannot be a slug/]),
    credential: [['nobody', /is not one of those in the settings/]],
    policy,
    suspend,
    ...below('guards.raises', limit),
    ...below('guards.lowers', limit),
    ...below('guards.deletes', limit),
    'guards.creates.count': number(0),
    ...below('guards.people', peopleLimits),
  }),
  declaration: text,
  ...below('directories.<ldap>', {
    addresses: [
      [[], /must have at least one item/],
      [Array.from({ length: 11 }, (_, index) => `ldaps://h${index}`), /must have at most 10 items/],
      [['ldap.example.com'], /not an address of LDAP/],
      [['https://ldap.example.com'], /not an address of LDAP/],
      [['ldaps://h/dc=x'], /not an address of LDAP/],
      [['ldaps://u:p@h'], /must not contain credentials/],
      [['ldap://h'], /plain ldap:/],
    ],
    startTls: [...flag, [true, /cannot be used with ldaps/]],
    allowPlaintext: flag,
    serverName: ['', 'ldaps://h', 'h:636', 'a b', `h${esc}`, 'h/'].map((value) => [value, /is not the name of a host/]),
    bind: [...choice('anon', 'none', ''), [{}, /"dn" is missing/], [{ dn: 'cn=x' }, /neither "password" nor "external"/]],
    'bind.dn': text,
    'bind.proof': choice('whoami', 'anonymous', '', true),
    'bind.external.certificateFile': text,
    'bind.external.key.file': secret,
    'bind.external.key.env': secret,
    'bind.password.file': secret,
    'bind.password.env': secret,
    'groups.base': wrongBases,
    'groups.scope': choice('subtree', ''),
    'groups.filter': wrongFilters,
    'groups.name': ['', 'c n', 'AD\\cn', '{}', '{cn', `{cn}${esc}`].map((value) => [
      value,
      /neither the name of an attribute nor a text with/,
    ]),
    'groups.member': attribute,
    'groups.id': attribute,
    'people.base': wrongBases,
    'people.filter': wrongFilters,
    'people.identity': attribute,
    'people.nested': flag,
    referrals: choice('follow', true),
    pageSize: number(0, 5000),
    membersMax: number(1),
    groupsMax: number(1),
    timeout,
    readingTimeout,
    ...below('shrink', shrink),
    ...below('expect', { ...expect, atLeast: [...(expect['atLeast'] ?? []), [1_001, /1,001 groups are more than groupsMax, 1000/]] }),
    caFile: text,
  }),
  ...below('directories.<keycloak>', {
    url: [
      ...address,
      ['https://sso.example.com/realms/corp', /contains the path of a realm/],
      ['https://sso.example.com/auth/realms/corp/', /contains the path of a realm/],
      ['https://sso.example.com/admin/realms/corp', /contains the path of a realm/],
      ['https://sso.example.com/admin/master/console', /contains the path of a realm/],
    ],
    realm: ['', ' corp', 'realms/corp', `corp${esc}`, '/', '.', '..', 'co\u202erp', '\u200b'].map((value) => [
      value,
      /is not the name of a realm/,
    ]),
    issuer: [...address, ['https://h/realms/corp/.well-known/openid-configuration', /is the address of the metadata/]],
    ...client,
    allowPlaintext: flag,
    'groups.from': [...choice('roles', ''), ['realmRoles', /"under" is about groups, and "from" asks for roles/]],
    'groups.from.clientRoles': [...text.filter(([value]) => typeof value === 'string'), [['plane'], /"from" cannot be this/]],
    'groups.name': choice('id', ''),
    'groups.under': ['', '/', 'plane', '/plane/', '//plane', `/a${esc}`].map((value) => [value, /is not the path of a group/]),
    'groups.slashes': choice('none', '~'),
    'groups.members': flag,
    'people.identity': choice('mail', 'userName', ''),
    'people.nested': flag,
    pageSize: number(1, 1000),
    'members.pageSize': number(1, 2_147_483_647),
    groupsMax: number(1),
    timeout,
    readingTimeout,
    ...below('shrink', shrink),
    ...below('expect', {
      atLeast: [...(expect['atLeast'] ?? []), [1_001, /1,001 groups are more than groupsMax, 1000/]],
      names: [
        ...(expect['names'] ?? []),
        [['all-staff'], /named by their paths/],
        [['/plane2/staff'], /is not below groups.under, \/plane$/],
      ],
    }),
    caFile: text,
  }),
  ...below('directories.<okta>', {
    url: [
      ...address,
      ['https://example-admin.okta.com', /has a path, or is that of the Admin Console/],
      ['https://example-admin.oktapreview.com/', /has a path, or is that of the Admin Console/],
      ['https://example.okta.com/api/v1', /has a path, or is that of the Admin Console/],
      ['https://example.okta.com/oauth2/default', /has a path, or is that of the Admin Console/],
    ],
    'client.id': text,
    'client.privateKey.key.file': secret,
    'client.privateKey.key.env': secret,
    'client.privateKey.keyId': text,
    'token.file': secret,
    'token.env': secret,
    'groups.types': [
      ...['OKTA_GROUP', ['USER_GROUP'], ['okta_group']].map((value) => [value, /./] as const),
      [[], /./],
      [['OKTA_GROUP', 'OKTA_GROUP'], /a type is here twice/],
    ],
    'groups.name': choice('id', 'displayName'),
    'people.identity': choice('mail', 'userName', ''),
    reserve: [...share, ['100%', /the reserve leaves nothing/]],
    pageSize: number(1, 10_000),
    groupsMax: number(1),
    timeout,
    readingTimeout,
    ...below('shrink', shrink),
    ...below('expect', { ...expect, atLeast: [...(expect['atLeast'] ?? []), [1_001, /1,001 groups are more than groupsMax, 1000/]] }),
    caFile: text,
  }),
  ...below('directories.<google>', {
    'account.key.file': secret,
    'account.key.env': secret,
    'account.token.file': secret,
    'account.token.env': secret,
    'account.workloadIdentity.provider': [
      '',
      '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/a/providers/b',
      'pool',
    ].map((value) => [value, /is not the name of a provider/]),
    'account.workloadIdentity.serviceAccount': email,
    'account.workloadIdentity.token.file': secret,
    'account.subject': email,
    customer: ['', 'example.com', 'my-customer', `C1${esc}`].map((value) => [value, /is not a customer id/]),
    domain: [
      ...['', 'https://example.com', 'a b', `h${esc}`].map((value): NeverWorks[number] => [value, /is not the name of a host/]),
      ['example.com', /either "customer" or "domain"/],
    ],
    'groups.name': choice('id', ''),
    'people.identity': choice('mail', ''),
    'people.nested': flag,
    pageSize: number(1, 200),
    groupsMax: number(1),
    url: [...address, ['https://h/admin/directory/v1', /contains the path of the API/]],
    tokenUrl: [...address],
    stsUrl: [...address],
    iamUrl: [...address],
    allowPlaintext: flag,
    timeout,
    readingTimeout,
    ...below('shrink', shrink),
    ...below('expect', {
      atLeast: [...(expect['atLeast'] ?? []), [1_001, /1,001 groups are more than groupsMax, 1000/]],
      names: [...(expect['names'] ?? []), [['all-staff'], /named by their e-mail addresses/]],
    }),
    caFile: text,
  }),
  ...below('directories.<entra>', {
    tenant: ['', 'common', 'organizations', 'https://h', 'contoso.com/', `contoso.com${esc}`, '.com', '00001111-aaaa'].map((value) => [
      value,
      /is not a tenant/,
    ]),
    cloud: choice('germany', 'usGov', ''),
    graphUrl: [
      ...address,
      ['https://graph.microsoft.com/v1.0', /contains the version of Graph/],
      ['https://graph.microsoft.com/beta/', /contains the version of Graph/],
    ],
    loginUrl: [
      ...address,
      ['https://login.microsoftonline.com/contoso.com/oauth2/v2.0/token', /contains the path of an endpoint/],
      ['https://login.microsoftonline.com/contoso.com/v2.0', /contains the path of an endpoint/],
    ],
    'client.id': ['', 'plane-group-sync', '00001111aaaa2222bbbb3333cccc4444', `a${esc}b`].map((value) => [
      value,
      /is not the id of an application/,
    ]),
    'client.secret.file': secret,
    'client.secret.env': secret,
    'client.privateKey.key.file': secret,
    'client.privateKey.key.env': secret,
    'client.privateKey.certificateFile': text,
    'client.assertion.file': secret,
    allowPlaintext: flag,
    'groups.name': choice('name', 'sam_account_name', ''),
    'groups.cloudDisplayName': flag,
    'groups.types': choice('unified', ''),
    'people.identity': choice('email', 'upn', ''),
    'people.nested': flag,
    'groups.assigned': ['', 'plane', 'all'].map((value) => [value, /is not the id of an application/]),
    checkTotal: flag,
    pageSize: number(1, 999),
    groupsMax: number(1),
    timeout,
    readingTimeout,
    ...below('shrink', shrink),
    ...below('expect', {
      atLeast: [...(expect['atLeast'] ?? []), [1_001, /1,001 groups are more than groupsMax, 1000/]],
      names: [...(expect['names'] ?? []), [['all-staff'], /named by their ids/]],
    }),
    caFile: text,
  }),
  ...below('directories.<scim>', {
    url: [
      ...address,
      ['https://id.example.com/scim/v2/Groups', /contains the path of a list/],
      ['https://id.example.com/Users/', /contains the path of a list/],
    ],
    'token.file': secret,
    'token.env': [...secret, ['SCIM_TOKEN', /either "token" or "client"/]],
    ...client,
    issuer: [
      ...address,
      ['https://h/.well-known/openid-configuration', /is the address of the metadata/],
      [undefined, /no "issuer" and no "tokenUrl"/],
    ],
    tokenUrl: [
      ...address,
      ['https://h/.well-known/openid-configuration', /is the address of the metadata/],
      ['https://h/token', /either "issuer" or "tokenUrl"/],
    ],
    scopes: [
      [['a b'], /not an OAuth scope/],
      [[''], /not an OAuth scope/],
      ['groups:read', /must be a list/],
    ],
    allowPlaintext: flag,
    'groups.name': choice('id', 'name', ''),
    'groups.filter': [
      ['', /must not be empty|it is empty/],
      ['displayName', /not a SCIM filter: a part of it/],
      ['displayName sw plane', /not a SCIM filter: a value is not in double quotes/],
      ['(displayName pr', /not a SCIM filter: its parentheses/],
      ['(cn=plane*)', /not a SCIM filter: it has a word/],
      [`x pr ${'x'.repeat(2_000)}`, /at most 2000 characters/],
    ],
    'people.identity': choice('mail', 'username', ''),
    'people.nested': flag,
    pageSize: number(0, 10_000),
    'members.pageSize': number(0, 2_147_483_647),
    groupsMax: number(1),
    timeout,
    readingTimeout,
    ...below('shrink', shrink),
    ...below('expect', { ...expect, atLeast: [...(expect['atLeast'] ?? []), [1_001, /1,001 groups are more than groupsMax, 1000/]] }),
    caFile: text,
  }),
  ...below('directories.<file>', { path: text, ...below('shrink', shrink), ...below('expect', expect) }),
  fencesFile: text,
  'fences.<name>': [
    ['nothing', /./],
    [{ owner: 'x', workspace: 'acme' }, /nothing is inside this fence/],
  ],
  ...below('fences.<name>', {
    owner: text,
    workspace: [
      ['acm', /the settings name no workspace "acm"/],
      ['', /has no value|must not be empty|a name neither begins/],
    ],
    'workspaceRoles.groups': fencedGroups,
    'workspaceRoles.roles': fencedRoles,
    'projectRoles.projects': [
      [[], /no project is inside this fence/],
      [['A PROJECT'], /./],
      [['A *'], /./],
      [['ABCDEFGHIJKLM'], /has 13 characters/],
      ['PAY', /must be a list/],
    ],
    'projectRoles.allProjects': flag,
    'projectRoles.groups': fencedGroups,
    'projectRoles.roles': fencedRoles,
    may: [
      [['projects'], /cannot be/],
      [['removed', 'removed'], /a word is here twice/],
      ['removed', /must be a list/],
    ],
    'demand.reason': flag,
    'demand.expires.<name>': duration('59m', '3651d'),
  }),
  approvals: choice('orders', true, []),
  'waivers.files': [
    ['platform/**', /must be a list/],
    [['../platform/**'], /this is not a path below the declaration/],
    [['/platform'], /this is not a path below the declaration/],
    [['{a,b}.yaml'], /this is not a path below the declaration/],
    [[''], /./],
  ],
  ...below('schedule', {
    cron: ['5-1 * * * *', '61 * * * *', '* * *', '', '0 0 31 2 *', '@reboot'].map((value) => [value, /is not a schedule/]),
    timezone: ['Mars/Phobos', '', 'BST', 'Europe/Berln'].map((value) => [value, /is not a time zone/]),
    jitter: duration('2d', '25h'),
  }),
  policy,
  suspend,
  'later.horizon': duration('23h', '3651d'),
  unknownGroups: choice('drop', true),
  unknownProjects: choice('drop', true),
  ...below('roles', {
    order: [
      [[], /must have at least one item/],
      [['guest', 'guest', 'member'], /a role is here twice/],
      [['guest', 'member', ' admin'], role],
      [['guest', 'member', `a${esc}`], role],
      ['guest', /must be a list/],
    ],
    ordinary: [
      [['membr'], /"membr" is not one of the roles in roles\.order/],
      [['guest', 'guest'], /a role is here twice/],
      [[''], role],
    ],
    'ordinary.project': [
      [['membr'], /"membr" is not one of the roles in roles\.order/],
      [['guest', 'guest'], /a role is here twice/],
    ],
    'ordinary.workspace': [
      [['membr'], /"membr" is not one of the roles in roles\.order/],
      ['guest', /must be a list/],
    ],
    'aliases.<name>': [
      ['member', /lead in a circle: member → member/],
      ['', role],
      ['contributor ', role],
    ],
  }),
  ...below('guards', {
    ...below('raises', limit),
    ...below('lowers', limit),
    ...below('deletes', limit),
    'creates.count': number(0),
    ...below('run', sums),
    ...below('day', sums),
    'flapping.rounds': number(1, 20),
    'flapping.span': duration('0s', '59s', '8d'),
    ...below('people', peopleLimits),
    protectedGroups: [
      [[''], /must not be empty/],
      [['x'.repeat(256)], /must have at most 255 characters/],
      ['admins', /must be a list/],
      ...['eng*', 'it-?eads'].map((value) => [[value], /takes exact names, without \* and \?/] as const),
      ...['it-leads ', ' it', 'CORP\net', `a${esc}b`, 'it\u200b', 'e\u0301quipe'].map(
        (value) => [[value], /no mapping can be written for this name: /] as const,
      ),
    ],
  }),
  journal: choice('no', 'memory', 1),
  ...below('journal', {
    folder: [...text, ...['~', '~/state'].map((value) => [value, /~ is not the home folder/] as const)],
    bytesMax: number(10_000),
    filesMax: number(2),
    seenMax: number(0),
  }),
  notify: [
    ['https://hooks.example.com', /must be a list/],
    [{ url: { env: 'HOOK' }, format: 'text' }, /must be a list/],
    [[{ format: 'text' }], /"url" is missing/],
    [[{ url: { env: 'HOOK' } }], /"format" is missing/],
    [[{ ...hook, format: 'slack' }], /cannot be "slack"/],
    [[{ ...hook, url: 'https://hooks.example.com/T0/B0/secret' }], /must say where the secret is/],
    [[{ ...hook, on: [] }], /at least|must not be empty/],
    [[{ ...hook, on: ['failed', 'failed'] }], /twice/],
    [[{ ...hook, on: ['held'] }], /cannot be "held"/],
    [[{ ...hook, owner: 'team-nobody' }], /no fence has the owner "team-nobody"/],
    [[{ ...hook, name: 'a/b' }], /a name neither/],
    ...[
      'http://sync.example.com',
      'https://a.example.com/<!here>',
      'https://a.example.com/|x',
      'https://u:p@a.example.com',
      'https://',
    ].map((link) => [[{ ...hook, link }], /not a link that a message can have/] as const),
    [Array.from({ length: 101 }, () => hook), /at most 100/],
  ],
  http: choice('off', 9464),
  'http.listen': ['9464', '127.0.0.1', 'h:65536', '[::zz]:80', '[1::2::3]:80', 'http://h:1', '', `h${esc}:1`].map((value) => [
    value,
    /is not host:port/,
  ]),
  ...below('http.page', {
    'token.file': secret,
    'token.env': secret,
    behindTls: flag,
    hosts: [
      ['localhost', /must be a list/],
      ...['', 'https://h', 'h:80', 'a b', `h${esc}`].map((value): NeverWorks[number] => [[value], /is not the name of a host/]),
    ],
  }),
  ...below('log', { level: choice('loud', 'INFO'), format: choice('text', true) }),
}
