import { roundsMax, writtenKeptMs } from '../core/memory/written.ts'
import { policies } from '../core/policy.ts'
import { z } from '../yaml/zod.ts'
import { cron, ldapAddress, listenAddress, name, slug, timezone, webAddress } from './patterned.ts'
import { ldapSecurity, plainHttpAskedFor } from './patterns/address.ts'
import { atMost } from './patterns/duration.ts'
import { slugOrName } from './patterns/name.ts'
import { credentialName, duration, percentage, secret, strings } from './scalars.ts'

/**
 * How the program runs: the one home of every setting. Type, defaults, `config/settings.schema.json`, `docs/settings.md` and the chart's
 * `settings` all come from here.
 */
const limitShape = (count: number, share: string, minExisting: number, of: string) =>
  z
    .strictObject({
      count: z.int().min(0).default(count).describe(`At most so many ${of} in one plan.`),
      share: percentage.prefault(share).describe(`At most this share of the owned mappings, where that is more than \`minExisting\`.`),
      minExisting: z
        .int()
        .min(0)
        .default(minExisting)
        .describe(`So many ${of} pass whatever their share: a share means little on a small set.`),
    })
    .prefault({})

const sumShape = (changes: number, deletes: number, creates: number, span: string) =>
  z
    .strictObject({
      changes: z.int().min(0).default(changes).describe(`At most so many patches and deletes in ${span}.`),
      deletes: z.int().min(0).default(deletes).describe(`At most so many deletes in ${span}.`),
      creates: z.int().min(0).default(creates).describe(`At most so many creates in ${span}; more wait.`),
    })
    .prefault({})

const credential = z
  .union([
    z.strictObject({ apiKey: secret.describe('A personal access token, sent as `X-API-Key`.') }),
    z.strictObject({
      oauth: z.strictObject({
        clientId: z.string().min(1),
        clientSecret: secret,
        installation: z.string().min(1).describe('The app installation the token is for (`app_installation_id`).'),
        scopes: z
          .array(z.string())
          .default(['workspaces.group_sync:read', 'workspaces.group_sync:write', 'projects:read'])
          .describe('The scopes that are asked for.'),
      }),
    }),
  ])
  .describe('An API key: `{ apiKey: { file: … } }`, or an OAuth client.')

const limit = z
  .strictObject({
    requests: z.int().min(1).default(60).describe('Requests that the service allows in one window.'),
    window: duration.prefault('1m').describe('The length of that window.'),
    reserve: percentage.prefault('10%').describe('The share of the limit that is left to others who use the same key.'),
  })
  .prefault({})
  .describe('What the service allows one credential.')

const suspend = z.union([z.boolean(), z.literal('grants')]).describe('`true`: write nothing; `grants`: revocations only.')
const policy = z.enum(policies).describe('What may be written: see docs/policies.md.')
const unknowns = z.enum(['hold', 'send'])

const shrink = z
  .strictObject({
    share: percentage
      .prefault('50%')
      .describe('A reading that lost more than this against the last believed one proves nothing; 100% believes all.'),
    minExisting: z.int().min(0).default(5).describe('So many may go whatever their share.'),
  })
  .prefault({})

const overNetwork = {
  timeout: duration.prefault('30s').describe('Of one request or search.'),
  shrink,
  caFile: z.string().optional().describe("Certificates (PEM) to trust instead of the system's."),
}

const ldap = z.strictObject({
  kind: z.literal('ldap'),
  addresses: z.array(ldapAddress).min(1).max(10).describe('`ldaps://host[:port]` or `ldap://host[:port]`, tried in order.'),
  startTls: z.boolean().default(false).describe('Upgrade an `ldap://` connection before anything is sent.'),
  allowPlaintext: z.boolean().default(false).describe('Send the password without TLS to a host other than this one.'),
  serverName: z.string().optional().describe("The name in the server's certificate, where it is not the address."),
  bind: z
    .union([z.strictObject({ dn: z.string().min(1), password: secret }), z.literal('anonymous')])
    .describe('Who asks: `{ dn: …, password: { file: … } }`, or `anonymous`.'),
  groups: z.strictObject({
    base: z.union([z.string(), z.array(z.string()).min(1).max(20)]).describe('Where to search: a DN, or several.'),
    scope: z.enum(['sub', 'one', 'base']).default('sub'),
    filter: z.string().default('(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=group)(objectClass=posixGroup))'),
    name: z.string().default('cn').describe("The attribute that equals what the identity provider's claim sends."),
    member: z.string().optional().describe('The attribute to count people by; absent: people are not counted.'),
    id: z.string().optional().describe('A stable id; default: `entryUUID`, `objectGUID` or `nsUniqueId`, as the server has.'),
  }),
  referrals: z
    .enum(['fail', 'ignore'])
    .default('fail')
    .describe("Search references to other servers; those to AD's Configuration and DNS partitions never count."),
  pageSize: z.int().min(0).max(5000).default(500).describe('Entries a page; 0 for a server that cannot page.'),
  membersMax: z.int().min(1).default(1_000_000).describe('Of one group; more is an error.'),
  groupsMax: z.int().min(1).default(200_000).describe('More is an error, before memory is one.'),
  ...overNetwork,
})

const keycloak = z.strictObject({
  kind: z.literal('keycloak'),
  url: webAddress.describe('The base address of the server, without `/realms/…`.'),
  realm: z.string().min(1),
  issuer: webAddress.optional().describe('Where it is not `url` + `/realms/` + `realm`: a Keycloak with a fixed public host name.'),
  client: z
    .strictObject({
      id: z.string().min(1),
      secret,
      authentication: z.enum(['client_secret_basic', 'client_secret_post']).default('client_secret_basic'),
    })
    .describe('A client with a service account that has `view-users` of `realm-management`.'),
  allowPlaintext: z.boolean().default(false).describe('Talk plain `http:` to a host other than this one.'),
  groups: z
    .strictObject({
      name: z
        .enum(['path', 'name'])
        .default('path')
        .describe("As the realm's Group Membership mapper sends it: `Full group path` on or off."),
      under: z.string().optional().describe('Only groups below this path.'),
      slashes: z
        .enum(['plain', 'escaped'])
        .default('plain')
        .describe('`escaped` where the server runs with `escape-slashes-in-group-path`.'),
      members: z.boolean().default(false).describe('Count people: a request more for each group, two for an empty one.'),
    })
    .prefault({}),
  pageSize: z.int().min(1).max(1000).default(100),
  groupsMax: z.int().min(1).default(50_000).describe('More is an error, before memory is one.'),
  ...overNetwork,
})

const file = z.strictObject({
  kind: z.literal('file'),
  path: z.string().min(1).describe('A YAML file: `groups: [{name: …}]`.'),
  shrink,
})

const workspace = z
  .strictObject({
    slug: slug.optional().describe("The workspace's slug at the service; default: its name here. Staging binds `acme` to `acme-stg`."),
    credential: credentialName.optional().describe('One of `service.credentials`; default: `default`.'),
    policy: policy.optional(),
    suspend: suspend.optional(),
  })
  .prefault({})

export const settingsSchema = z
  .strictObject({
    version: z.literal(1),
    service: z.strictObject({
      baseUrl: webAddress.describe('The address of Plane, without `/api/v1`. Environment: `PLANE_BASE_URL`.'),
      credential: credential
        .optional()
        .describe('The credential named `default`: `{ apiKey: { file: … } }`, or an OAuth client. Environment: `PLANE_API_KEY`.'),
      credentials: z.record(name, credential).optional().describe('Several, by name.'),
      limit,
      timeout: duration.prefault('30s').describe('Of one request, connection to last byte.'),
      unknownOutcomeWait: duration
        .prefault('2m')
        .describe('Δ: a request whose answer was lost is either executed within this time of its last byte, or never.'),
      shrink: shrink.describe("Of the service's own lists."),
      caFile: z.string().optional().describe("Certificates (PEM) to trust instead of the system's."),
      allowPlaintext: z.boolean().default(false).describe('Talk plain `http:` to a host other than this one.'),
    }),
    workspaces: z
      .record(name, workspace)
      .meta(slugOrName)
      .describe('The only workspaces that are ever touched. Environment for one: `PLANE_WORKSPACE_SLUG`.'),
    declaration: z.string().min(1).describe('The declared mappings: a file or a folder.'),
    directories: z
      .record(name, z.discriminatedUnion('kind', [ldap.meta(ldapSecurity), keycloak.meta(plainHttpAskedFor('url')), file]))
      .default({})
      .describe('Where groups are known. Without any, exact rules pass and patterns are an error.'),
    schedule: z
      .strictObject({
        cron: cron.default('*/10 * * * *').describe('Five fields (or six, with seconds). Day of month and day of week combine with AND.'),
        timezone: timezone.default('UTC').describe('An IANA name.'),
        jitter: duration.prefault('30s').describe('A random delay up to this, so that many instances do not call at once.'),
      })
      .prefault({}),
    policy: policy.default('upsert-only'),
    suspend: suspend.default(false),
    unknownGroups: unknowns.default('hold').describe('Of an exact rule whose group no directory knows.'),
    unknownProjects: unknowns
      .default('hold')
      .describe("Of a project that the credential's owner does not see, and that no mapping names but such as are sent."),
    roles: z
      .strictObject({
        order: strings.default(['guest', 'commenter', 'contributor', 'member', 'admin', 'owner']).describe('From least to most.'),
        ordinary: strings.default(['guest', 'commenter', 'contributor', 'member']).describe('Every other role is protected.'),
        aliases: z.record(z.string(), z.string()).default({}).describe('What the service answers where another slug was sent.'),
      })
      .prefault({}),
    guards: z
      .strictObject({
        changes: limitShape(50, '30%', 10, 'patches and deletes'),
        deletes: limitShape(10, '20%', 5, 'deletes'),
        creates: z
          .strictObject({ count: z.int().min(0).default(200).describe('At most so many creates in one plan; more wait, all of them.') })
          .prefault({}),
        run: sumShape(100, 20, 400, 'one run, over all workspaces'),
        day: sumShape(200, 40, 800, '24 hours, over all workspaces; kept in the journal'),
        flapping: z
          .strictObject({
            rounds: z.int().min(1).max(roundsMax).default(3).describe('A change that was written so often, and undone each time, waits.'),
            span: duration
              .prefault('24h')
              .refine((spanMs) => spanMs <= writtenKeptMs, 'nothing is remembered for longer than 7d')
              .describe('Within this time; at most `7d`.')
              .meta(atMost(writtenKeptMs)),
          })
          .prefault({}),
        protectedGroups: strings.default([]).describe('Groups whose every change waits for approval.'),
      })
      .prefault({})
      .describe('What stops a plan: see docs/guards.md.'),
    journal: z
      .union([
        z.strictObject({
          folder: z.string().min(1).default('./state').describe('Created where it is missing.'),
          bytesMax: z.int().min(10_000).default(8_000_000).describe('Entries in one file; then it is rotated.'),
          filesMax: z.int().min(2).default(8),
        }),
        z.literal('none'),
      ])
      .prefault({})
      .describe('What was intended and what came of it. What `none` loses: docs/journal.md.'),
    http: z
      .union([
        z.strictObject({ listen: listenAddress.default('127.0.0.1:9464').describe('`host:port` of /metrics, /healthz, /readyz.') }),
        z.literal('none'),
      ])
      .prefault({}),
    log: z
      .strictObject({
        level: z.enum(['debug', 'info', 'change', 'warn', 'error', 'silent']).default('info'),
        format: z.enum(['auto', 'json', 'pretty']).default('auto').describe('`auto`: pretty on a terminal, JSON elsewhere.'),
      })
      .prefault({}),
  })
  .meta({ allOf: [{ properties: { service: plainHttpAskedFor('baseUrl') } }] })
  .describe('How plane-group-sync runs.')

export type Settings = z.output<typeof settingsSchema>
export type DirectorySettings = Settings['directories'][string]
export type CredentialSettings = z.output<typeof credential>
