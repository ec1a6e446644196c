import { z } from 'zod'
import { configDefaults } from './config.ts'
import { publicKey } from './state.ts'
import { readLimit } from './throttle.ts'

/** Rows of resources have the field names of the API, other names are camelCase. Unknown names are refused at every level. */

/** Characters are counted as in the bodies of requests: an emoji is one. */
const text = (charactersMax: number) =>
  z
    .string()
    .min(1)
    .refine((value) => Array.from(value).length <= charactersMax, `at most ${charactersMax} characters`)
const id = z.uuid().optional()
/** No date is further from 1970. */
const timeMsMax = 8_640_000_000_000_000
const timeMs = z.union([
  z.number().int().min(-timeMsMax).max(timeMsMax),
  z.iso.datetime({ offset: true }).transform((iso) => Date.parse(iso)),
])
const row = { id, created_at: timeMs.optional(), updated_at: timeMs.optional() }
const names = z.array(text(255))

const limit = z.union([
  z.string().transform((value, context) => {
    try {
      return readLimit(value)
    } catch (cause) {
      context.addIssue(cause instanceof Error ? cause.message : 'not a limit')
      return z.NEVER
    }
  }),
  z.strictObject({ requests: z.number().int().min(0), windowMs: z.number().int().min(1) }),
])

const utcOffset = z
  .string()
  .regex(/^[+-]\d{2}:\d{2}$/, 'write it as +02:00')
  .transform((value) => (value.startsWith('-') ? -1 : 1) * (Number(value.slice(1, 3)) * 60 + Number(value.slice(4))))

const user = z.strictObject({ id, name: text(255), email: z.string().optional(), utcOffset: utcOffset.default(120) })

const key = z.strictObject({
  value: text(255),
  name: text(255).optional(),
  owner: text(255).default('admin'),
  rights: z.enum(['admin', 'read-only']).default('admin'),
  workspaces: names.optional(),
  expiresAt: timeMs.optional(),
  enabled: z.boolean().default(true),
  limit: limit.optional(),
})

const scopeDefaults = ['workspaces.group_sync:read', 'workspaces.group_sync:write', 'projects:read', 'stickies:read', 'wiki.pages:read']

const application = z.strictObject({
  clientId: text(255),
  clientSecret: text(255),
  installationId: z.uuid(),
  owner: text(255).default('application'),
  scopes: names.default(scopeDefaults),
  workspaces: names.optional(),
  tokenLifetimeS: z.number().int().min(1).default(86_400),
})

/** A token that was issued before. */
const token = z.strictObject({ value: text(255), clientId: text(255), scopes: names, expiresAt: timeMs })

const workItem = z.strictObject({
  ...row,
  sequence_id: z.number().int().optional(),
  name: text(255),
  priority: text(255).default('none'),
  state: text(255).nullable().default(null),
  assignees: names.default([]),
})

const projectFields = z.strictObject({
  ...row,
  identifier: text(12).toUpperCase(),
  name: text(255).optional(),
  network: z.union([z.literal(0), z.literal(2)]).default(2),
  archived_at: timeMs.nullable().default(null),
  project_lead: text(255).nullable().default(null),
  members: names.optional(),
  states: z.array(z.strictObject({ id, name: text(255), group: text(255).default('started') })).default([]),
  workItems: z.array(workItem).default([]),
})
const projectObject = projectFields.superRefine(({ states, workItems }, context) => {
  const known = new Set(states.map(({ name }) => name))
  for (const [index, { state }] of workItems.entries()) {
    if (state !== null) named(context, known, state, ['workItems', index, 'state'], 'the project has no such state')
  }
  different(context, workItems, 'id', ['workItems'])
})
/** A text stands for a public project. The text is its identifier. */
const project = z.union([text(12).transform((identifier) => projectObject.parse({ identifier })), projectObject])

const projectMapping = z
  .strictObject({
    ...row,
    idp_group_name: text(255),
    project: text(12).toUpperCase().nullable().default(null),
    all_projects: z.boolean().default(false),
    role: text(255).nullable(),
  })
  .refine((mapping) => mapping.all_projects === (mapping.project === null), 'set either project or all_projects: true')

const config = z.strictObject({
  ...row,
  is_enabled: z.boolean().default(configDefaults.is_enabled),
  sync_on_login: z.boolean().default(configDefaults.sync_on_login),
  auto_remove: z.boolean().default(configDefaults.auto_remove),
  sync_offline: z.boolean().default(configDefaults.sync_offline),
  group_attribute_key: text(255).default(configDefaults.group_attribute_key),
  default_workspace_role: text(255).nullable().default(configDefaults.default_workspace_role),
})

const sticky = z.strictObject({
  ...row,
  name: z.string(),
  description_html: z.string().default(''),
  color: z.string().default('yellow'),
  owner: text(255).default('admin'),
})

const page = z.strictObject({
  ...row,
  name: z.string(),
  description: z.string().default(''),
  description_html: z.string().default(''),
  owned_by: text(255).default('admin'),
})

const workspaceFields = z.strictObject({
  id,
  projects: z.array(project).default([]),
  projectMappings: z.array(projectMapping).default([]),
  workspaceMappings: z.array(z.strictObject({ ...row, idp_group_name: text(255), role: text(255).nullable() })).default([]),
  config: config.optional(),
  roles: z.strictObject({ workspace: names, project: names }).optional(),
  stickies: z.array(sticky).default([]),
  pages: z.array(page).default([]),
})
const workspace = workspaceFields.superRefine((space, context) => {
  const { projects, projectMappings } = space
  const known = new Set(projects.map(({ identifier }) => identifier))
  for (const [index, { project }] of projectMappings.entries()) {
    if (project !== null) named(context, known, project, ['projectMappings', index, 'project'], 'the workspace has no such project')
  }
  different(context, projects, 'identifier', ['projects'])
  for (const list of ['projects', 'projectMappings', 'workspaceMappings', 'stickies', 'pages'] as const)
    different<{ id?: string | undefined }>(context, space[list], 'id', [list])
})

const stateFields = z.strictObject({
  limit: limit.optional(),
  users: z.array(user).default([]),
  keys: z.array(key).default([{ value: publicKey, owner: 'admin', rights: 'admin', enabled: true }]),
  applications: z.array(application).default([]),
  tokens: z.array(token).default([]),
  workspaces: z.record(text(255), workspace).default({ acme: workspace.parse({ projects: ['ENG', 'OPS'] }) }),
})
const stateSchema = stateFields.superRefine(({ users, keys, applications, tokens, workspaces }, context) => {
  const slugs = new Set(Object.keys(workspaces))
  for (const [list, rows] of Object.entries({ keys, applications })) {
    for (const [index, entry] of rows.entries()) {
      for (const [nth, slug] of (entry.workspaces ?? []).entries())
        named(context, slugs, slug, [list, index, 'workspaces', nth], 'there is no such workspace')
    }
  }
  const clients = new Set(applications.map(({ clientId }) => clientId))
  for (const [index, { clientId }] of tokens.entries())
    named(context, clients, clientId, ['tokens', index, 'clientId'], 'there is no such application')
  different(context, users, 'name', ['users'])
  different(context, keys, 'value', ['keys'])
  different(context, applications, 'clientId', ['applications'])
})

/** The content of a state file, and of the option `state` of `startSandbox`. */
export type StateInput = z.input<typeof stateSchema>
export type StateParsed = z.output<typeof stateSchema>

/** Undefined if there are too many issues: zod passes them as arguments of a call, and a call takes some 120,000 arguments. */
export function parseState(value: unknown): ReturnType<typeof stateSchema.safeParse> | undefined {
  try {
    return stateSchema.safeParse(value, { error: predicateOf })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The condition for a value, to follow its name: `must be a list`. It is for issues without a text of their own. */
function predicateOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is missing'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}`
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`
    case 'too_big':
      return `must be at most ${issue.maximum}`
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
    case 'invalid_format':
      return `must be ${kinds[issue.format] ?? 'written in another way'}`
    default:
      return 'must be written in another way'
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map (key: value)',
  record: 'a map (key: value)',
  uuid: 'a UUID',
  datetime: 'a time, such as 2026-01-31T12:00:00Z',
}

type Context = z.core.$RefinementCtx
type Path = readonly (string | number)[]

/** A name in a state file must be one of those that exist. The message does not show the name: it may be an API key in the wrong place. */
function named(context: Context, known: ReadonlySet<string>, name: string, path: Path, problem: string): void {
  if (!known.has(name)) context.addIssue({ code: 'custom', message: problem, path: [...path] })
}

/** Rows of one list must differ in a field. The message does not show the value, which may be an API key. */
function different<Row>(context: Context, rows: readonly Row[], field: keyof Row & string, path: Path): void {
  const seen = new Set<unknown>()
  for (const [index, row] of rows.entries()) {
    const value = row[field]
    if (value === undefined) continue
    if (seen.has(value)) context.addIssue({ code: 'custom', message: `another row has the same ${field}`, path: [...path, index, field] })
    seen.add(value)
  }
}
