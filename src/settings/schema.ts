import { lastAppliedKeptMs, roundsMax } from '../core/memory/lastApplied.ts'
import { policies } from '../core/policy.ts'
import { former, z } from '../yaml/zod.ts'
import { defaultSchedule } from './defaultSchedule.ts'
import { directorySchema } from './directories/directory.ts'
import { fences, fencesFile, waivers } from './fences.ts'
import { notify } from './notify.ts'
import { pageSchema } from './page.ts'
import { wrongPaths } from './patterns/address.ts'
import { slugOrName } from './patterns/name.ts'
import {
  credentialName,
  cron,
  duration,
  listenAddress,
  madeFolder,
  name,
  percentage,
  plainHttp,
  plainText,
  protectedGroups,
  roleName,
  roleNames,
  scope,
  secret,
  slug,
  timezone,
  webAddress,
} from './scalars.ts'

/** The settings of a limit on the changes of one plan. */
const limitShape = (count: number, share: string, minExisting: number, of: string) =>
  z
    .strictObject({
      count: z
        .int()
        .min(0)
        .default(count)
        .describe(`The most ${of} of one plan that need no approval. If a plan has more, all of them wait.`),
      share: percentage
        .prefault(share)
        .describe(`The same, as a share of the owned mappings. If \`minExisting\` is larger, it applies instead.`),
      minExisting: z
        .int()
        .min(0)
        .default(minExisting)
        .describe(`Up to this many ${of} pass regardless of \`share\`, so that a small workspace is not stopped by a few changes.`),
    })
    .prefault({})

const sameSetting = 'In the place of the same setting of `guards`.'
/** A limit of one workspace. */
const ownLimit = z.strictObject({
  count: z.int().min(0).optional().describe(sameSetting),
  share: percentage.optional().describe(sameSetting),
  minExisting: z.int().min(0).optional().describe(sameSetting),
})

const peopleMax = z.int().min(0).optional()
/** Limits on people, with what to say about each. */
const peopleShape = (lose: string, raise: string, gainProtected: string) =>
  z.strictObject({ lose: peopleMax.describe(lose), raise: peopleMax.describe(raise), gainProtected: peopleMax.describe(gainProtected) })

const formerChanges = former('changes', 'write "raises" and "lowers"; deletes count only in "deletes"')

const sumShape = (raises: number, lowers: number, deletes: number, creates: number, span: string) =>
  z
    .strictObject({
      changes: formerChanges,
      creates: z.int().min(0).default(creates).describe(`The most creates in ${span}.`),
      raises: z.int().min(0).default(raises).describe(`The most raises in ${span}.`),
      lowers: z.int().min(0).default(lowers).describe(`The most lowerings in ${span}.`),
      deletes: z.int().min(0).default(deletes).describe(`The most deletes in ${span}.`),
    })
    .prefault({})

const credential = z
  .union([
    z.strictObject({ apiKey: secret.describe('A personal access token, sent as `X-API-Key`.') }),
    z.strictObject({
      oauth: z.strictObject({
        clientId: plainText.describe('The id of the OAuth client.'),
        clientSecret: secret,
        installation: plainText.describe('The id of the app installation for which the token is requested (`app_installation_id`).'),
        scopes: z
          .array(scope)
          .default(['workspaces.group_sync:read', 'workspaces.group_sync:write', 'projects:read'])
          .describe('The OAuth scopes to request.'),
      }),
    }),
  ])
  .describe('An API key: `{ apiKey: { file: … } }`, or an OAuth client.')

const limit = z
  .strictObject({
    requests: z.int().min(1).default(60).describe('How many requests Plane allows in one window.'),
    window: duration('1s', '1d').prefault('1m').describe('The length of the window.'),
    reserve: percentage
      .prefault('10%')
      .describe(
        'The share of the limit that this program leaves free, so that the next requests of other users of the same credential find a place. The requests that they already send are subtracted besides. Only changes that take access away may use it.',
      ),
  })
  .prefault({})
  .describe('The rate limit of Plane for one credential.')

const suspend = z
  .union([z.boolean(), z.literal('grants')])
  .describe('`true`: write nothing. `grants`: write only changes that revoke access.')
const policy = z.enum(policies).describe('Which changes may be written: see docs/policies.md.')
/** The default of `roles.ordinary`. */
const ordinaryRoles = ['guest', 'commenter', 'contributor', 'member']

const workspace = z
  .strictObject({
    slug: slug
      .optional()
      .describe("The workspace's slug in Plane. Default: its name here. For example, staging maps `acme` to `acme-stg`."),
    credential: credentialName.optional().describe('A name from `service.credentials`. Default: `default`.'),
    policy: policy.optional(),
    suspend: suspend.optional(),
    guards: z
      .strictObject({
        raises: ownLimit.optional(),
        lowers: ownLimit.optional(),
        deletes: ownLimit.optional(),
        creates: ownLimit.pick({ count: true }).optional(),
        people: peopleShape(sameSetting, sameSetting, sameSetting).optional(),
      })
      .optional()
      .describe('Limits for this workspace. Each of them stands in the place of the same setting of `guards`.'),
  })
  .prefault({})

/** All settings. The type, the defaults, `config/settings.schema.json`, `docs/settings.md` and the chart's `settings` are derived from this schema. */
export const settingsSchema = z
  .strictObject({
    version: z.literal(1),
    service: z.strictObject({
      baseUrl: webAddress(wrongPaths.service).describe('The address of Plane, without `/api/v1`. Environment: `PLANE_BASE_URL`.'),
      credential: credential
        .optional()
        .describe('The credential with the name `default`: `{ apiKey: { file: … } }`, or an OAuth client. Environment: `PLANE_API_KEY`.'),
      credentials: z.record(name, credential).optional().describe('Several credentials, by name.'),
      limit,
      timeout: duration('10ms', '1h')
        .prefault('30s')
        .describe('The longest time that one request may take, from connecting to the last byte.'),
      unknownOutcomeWait: duration('1s', '1d')
        .prefault('2m')
        .describe('How long a request with no response may still take effect in Plane. The docs call this time Δ.'),
      caFile: plainText.optional().describe("A PEM file with the certificates to trust. It replaces the system's certificates."),
      allowPlaintext: plainHttp('secret'),
    }),
    workspaces: z
      .record(name, workspace)
      .meta(slugOrName)
      .describe(
        'The workspaces to manage, as in `{ acme: {} }`. Others are never touched. Environment, for one workspace: `PLANE_WORKSPACE_SLUG`.',
      ),
    declaration: plainText.describe('The declared mappings: a file or a folder.'),
    fences,
    fencesFile,
    waivers,
    approvals: z
      .enum(['any', 'files-only'])
      .default('any')
      .describe(
        '`files-only`: only words in a file of the declaration approve what waits (`waivers`, `allowProtected`). `--allow` and `approve --now` are refused, and what they approved before does not count.',
      ),
    directories: z
      .record(name, directorySchema)
      .default({})
      .describe('The sources of group names. Without any directory, exact rules are applied unchecked, and patterns are an error.'),
    schedule: z
      .strictObject({
        cron: cron
          .default(defaultSchedule.cron)
          .describe('Five fields, or six with seconds first. Day of month and day of week must both match.'),
        timezone: timezone
          .default(defaultSchedule.timezone)
          .describe(
            'An IANA time zone name. When its clocks go forward, ticks in the hour that is skipped do not happen. When they go back, ticks in the hour that comes twice happen only the second time. A schedule that ticks in every hour has no such gap.',
          ),
        jitter: duration('0s', '1d')
          .prefault('30s')
          .describe('The longest random delay before a scheduled cycle, so that many installations do not call Plane at the same moment.'),
      })
      .prefault({}),
    policy: policy.default('sync'),
    suspend: suspend.default(false),
    later: z
      .strictObject({
        horizon: duration('1d', '3650d')
          .prefault('90d')
          .describe(
            'For how long ahead a plan says what the `starts` and `expires` of rules will change. It shows grants of protected roles whatever their date.',
          ),
      })
      .prefault({}),
    unknownGroups: z
      .enum(['hold', 'send'])
      .default('hold')
      .describe('For an exact rule whose group is in none of the directories that it asks: `hold` the mapping, or `send` it anyway.'),
    unknownProjects: z
      .enum(['hold', 'send', 'skip'])
      .default('hold')
      .describe(
        "For a project that the credential's owner cannot see: `hold` the mapping, or `send` it anyway. A project also counts as existing if Plane shows a mapping to it. A mapping of a rule with `send` does not count as such proof. `skip` is for captured projects, and leaves out a project that was never known; other projects are held.",
      ),
    roles: z
      .strictObject({
        order: roleNames
          .min(1)
          .default(['guest', 'commenter', 'contributor', 'member', 'admin', 'owner'])
          .describe('All roles, from least to most access.'),
        ordinary: z
          .union([
            roleNames,
            z.strictObject({
              project: roleNames.default(ordinaryRoles).describe('The same for roles in projects, and in all projects.'),
              workspace: roleNames.default(ordinaryRoles).describe('The same for roles in the workspace.'),
            }),
          ])
          .default(ordinaryRoles)
          .describe(
            'The roles that need no approval. Every other role is protected. A list is for all targets; `{ project: […], workspace: […] }` has one list each.',
          ),
        aliases: z
          .record(roleName, roleName)
          .default({})
          .describe('The slug that was sent → the slug that Plane answers, for roles that Plane renames.'),
      })
      .prefault({}),
    guards: z
      .strictObject({
        changes: formerChanges,
        raises: limitShape(50, '30%', 10, 'raises'),
        lowers: limitShape(50, '30%', 10, 'lowerings'),
        deletes: limitShape(10, '20%', 5, 'deletes'),
        creates: z
          .strictObject({
            count: z.int().min(0).default(200).describe('The most creates in one plan. Above it all creates of the plan need approval.'),
          })
          .prefault({}),
        run: sumShape(100, 100, 20, 400, 'one cycle, over all workspaces'),
        day: sumShape(200, 200, 40, 800, '24 hours, over all workspaces (counted in the journal)'),
        flapping: z
          .strictObject({
            rounds: z
              .int()
              .min(1)
              .max(roundsMax)
              .default(3)
              .describe('A change that was written this many times, and undone each time, is held.'),
            span: duration('1m', `${lastAppliedKeptMs / 86_400_000}d`)
              .prefault('24h')
              .describe('The time in which `rounds` are counted, at most `7d`: nothing is remembered for longer.'),
          })
          .prefault({}),
        people: peopleShape(
          'The most people who may lose a role, or keep a lower one, by the deletes of undeclared mappings.',
          'The most people who may newly get a role, or a higher one.',
          'The most people who may newly get a protected role.',
        )
          .prefault({})
          .describe(
            'Limits on people, for directories that say who the members of groups are: those with `people`, and those of the kind `file` with `members`. Each person counts once for all changes of a plan. Changes that exceed a limit together wait as a set. A change above a limit needs approval, and so does a change whose number is not known. Revocations that the declaration asks for are never held.',
          ),
        protectedGroups,
      })
      .prefault({})
      .describe('The limits. Changes that exceed one wait for approval: see docs/guards.md.'),
    journal: z
      .union([
        z.strictObject({
          folder: madeFolder.default('./state').describe('The folder of the journal. It is created if it is missing.'),
          bytesMax: z.int().min(10_000).default(8_000_000).describe('The most bytes of entries in one file. Then the next file begins.'),
          filesMax: z.int().min(2).default(8).describe('How many files are kept. The oldest is deleted first.'),
          seenMax: z
            .int()
            .min(0)
            .default(50_000)
            .describe(
              'Of how many mappings the journal keeps since when they have their roles, for `report`. Each costs about 50 bytes in each file. A list that does not fit is left out.',
            ),
        }),
        z.literal('none'),
      ])
      .prefault({})
      .describe('The record of every intended write and its result. `none` keeps no record: docs/journal.md says what that loses.'),
    http: z
      .union([
        z.strictObject({
          listen: listenAddress.default('127.0.0.1:9464').describe('The `host:port` that serves `/metrics`, `/healthz` and `/readyz`.'),
          page: pageSchema,
        }),
        z.literal('none'),
      ])
      .prefault({})
      .describe('Where the daemon answers probes, Prometheus and people: `{ listen: … }`. `none`: nowhere.'),
    notify,
    log: z
      .strictObject({
        level: z
          .enum(['debug', 'info', 'notice', 'change', 'warn', 'error', 'silent'])
          .default('info')
          .describe(
            'A write that is done has the level `notice`, one that failed `warn` or `error`. `change` is another name for `notice`.',
          ),
        format: z.enum(['auto', 'json', 'pretty']).default('auto').describe('`auto`: `pretty` on a terminal, `json` elsewhere.'),
      })
      .prefault({}),
  })
  .describe('The settings of plane-group-sync: a map with version, service, workspaces and declaration.')

export type Settings = z.output<typeof settingsSchema>
export type CredentialSettings = z.output<typeof credential>
