import { createHash } from 'node:crypto'
import { dirname, join, resolve } from 'node:path'
import { lists } from '../core/mapping.ts'
import { defined } from '../core/optionalFields.ts'
import { pipeMs, readBounded } from '../files/read.ts'
import { type Added, problemAt, valueAt, type YamlDocument } from '../yaml/document.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { parseYaml } from '../yaml/parse.ts'
import { type InvalidFiles, type Problem, problemOfFile } from '../yaml/problem.ts'
import { type FileInput, readApart } from '../yaml/readApart.ts'
import { yamlBytesMax } from '../yaml/source.ts'
import { validate } from '../yaml/validate.ts'
import { checkSettings } from './check.ts'
import { defaultSchedule, isDefaultSchedule } from './defaultSchedule.ts'
import { fencesFileSchema, type SharedFences } from './fences.ts'
import { type Settings, settingsSchema } from './schema.ts'

export type LoadedSettings = {
  readonly valid: true
  readonly settings: Settings
  /** Resolves a path in the settings. Relative paths begin at the folder of the settings file. */
  readonly path: (relative: string) => string
  /** SHA-256 in hex over the settings, with those from the environment. */
  readonly hash: string
  readonly file: string
  /** The shortest time between two ticks of the schedule. */
  readonly intervalMs: number
  /** The content of the file. */
  readonly bytes: Uint8Array
  /** The file of `fencesFile`. Absent: the settings name none. */
  readonly shared?: SharedFile
  /** The content with its places. It is kept only until memory is needed, since thousands of credentials have many places, and then parsed again. */
  readonly document: () => YamlDocument
  /** The settings are of the environment alone, and name no declaration. Absent: they name one. */
  readonly lacksDeclaration?: true
}

export type Environment = Readonly<Record<string, string | undefined>>

/** A file beside the settings, by its path. `bytes`: its content; absent if it could not be read. */
type SharedFile = { readonly path: string; readonly bytes?: Uint8Array }

/** Settings that are not valid. `bytes`: the content of the file; absent if it could not be read. */
export type RefusedSettings = InvalidFiles & { readonly bytes?: Uint8Array; readonly shared?: SharedFile }

/**
 * Reads and checks the settings file. All problems are returned at once, each with its place.
 *
 * @param previous the result for the same file and environment; it is returned if the file has not changed
 * @param refused the same, for settings that were not valid
 */
export async function loadSettings(
  file: string,
  env: Environment,
  previous?: LoadedSettings,
  signal?: AbortSignal,
  refused?: RefusedSettings,
): Promise<LoadedSettings | RefusedSettings> {
  // A pipe can be read only once, so it is accepted only at the first load.
  const bounds = previous === undefined ? { bytesMax: yamlBytesMax, pipeMs } : { bytesMax: yamlBytesMax }
  const read = await readBounded(file, bounds, signal)
  if ('why' in read) {
    return invalidFiles([problemOfFile(file, read.why, 'name the settings file with --config or PLANE_GROUP_SYNC_CONFIG')])
  }
  const { bytes } = read
  if (previous?.file === file && bytes.equals(previous.bytes) && (await isUnchanged(previous.shared, signal))) return previous
  if (refused?.bytes !== undefined && bytes.equals(refused.bytes) && (await isUnchanged(refused.shared, signal))) return refused
  return settingsOf(file, bytes, env, signal)
}

async function isUnchanged(shared: SharedFile | undefined, signal?: AbortSignal): Promise<boolean> {
  if (shared === undefined) return true
  const read = await readBounded(shared.path, { bytesMax: yamlBytesMax }, signal)
  return 'bytes' in read && shared.bytes !== undefined && read.bytes.equals(shared.bytes)
}

/** Checks settings that were read already. @param file their name in messages; relative paths in them begin at its folder */
export async function settingsOf(
  file: string,
  bytes: Uint8Array,
  { PLANE_BASE_URL, PLANE_API_KEY, PLANE_WORKSPACE_SLUG }: Environment,
  signal: AbortSignal = new AbortController().signal,
): Promise<LoadedSettings | RefusedSettings> {
  const env = { PLANE_BASE_URL, PLANE_API_KEY, PLANE_WORKSPACE_SLUG }
  const checked = await readApart('settings', { file, bytes, env }, checkedSettings, signal)
  if (!checked.valid) return defined({ ...invalidFiles(checked.problems), bytes, shared: 'shared' in checked ? checked.shared : undefined })
  return { ...checked, path: (relative) => resolve(dirname(file), relative), file, bytes, document: documentOf(file, bytes) }
}

/** The variables that say enough without a settings file, for a command that writes nothing. */
export const neededVariables = ['PLANE_BASE_URL', 'PLANE_API_KEY', 'PLANE_WORKSPACE_SLUG'] as const

/**
 * The settings of the environment alone. There is no declaration, no directory and no journal, so nothing is read or made on this machine. Relative paths
 * begin at the current folder.
 */
export async function environmentSettings(env: Environment): Promise<LoadedSettings | RefusedSettings> {
  const text = 'version: 1\ndeclaration: none\njournal: none\nhttp: none\npolicy: upsert-only\n'
  const loaded = await settingsOf('environment', Buffer.from(text), env)
  return loaded.valid ? { ...loaded, lacksDeclaration: true } : loaded
}

type Checked =
  | Pick<LoadedSettings, 'valid' | 'settings' | 'hash' | 'intervalMs' | 'shared'>
  | { readonly valid: false; readonly problems: readonly Problem[]; readonly shared?: SharedFile }

/** The work for one settings file. The result can be sent to another thread. */
export async function checkedSettings({ file, bytes, env }: FileInput & { readonly env: Environment }): Promise<Checked> {
  const invalid = (problems: readonly Problem[]) => ({ valid: false, problems }) as const
  const { document, problems } = parseYaml(bytes, { file, schema: settingsSchema })
  if (document === undefined || problems.length > 0) return invalid(problems)
  const completed = withEnvironment(document, env)
  const validated = validate<Settings>(completed, settingsSchema)
  if (!validated.valid) return invalid(declarationProblem(document) ?? validated.problems)
  const { value: written } = validated
  const shared = written.fencesFile === undefined ? undefined : await readFences(written.fencesFile, file, completed)
  if (shared !== undefined && 'problems' in shared) return defined({ ...invalid(shared.problems), shared: shared.file })
  const settings = shared === undefined ? written : { ...written, fences: { ...shared.fences, ...written.fences } }
  const { problems: ofSchedule, intervalMs } = await checkSchedule(settings, completed)
  const wrong: readonly Problem[] = [
    ...checkSettings(settings, completed, shared?.document),
    ...(await checkFilters(settings, completed)),
    ...ofSchedule,
  ]
  if (wrong.length > 0) return defined({ ...invalid(wrong), shared: shared?.file })
  const decides = shared === undefined ? completed.value : [completed.value, shared.fences]
  const hash = createHash('sha256').update(JSON.stringify(decides)).digest('hex')
  return defined({ valid: true as const, settings, hash, intervalMs, shared: shared?.file })
}

type Fences = { readonly fences: SharedFences['fences']; readonly document: YamlDocument; readonly file: SharedFile }

/** The fences that several settings share. @param settings the document that names the file */
async function readFences(
  name: string,
  file: string,
  settings: YamlDocument,
): Promise<Fences | { readonly problems: readonly Problem[]; readonly file: SharedFile }> {
  const path = resolve(dirname(file), name)
  const read = await readBounded(path, { bytesMax: yamlBytesMax })
  if ('why' in read) {
    const problem = problemAt(
      settings,
      ['fencesFile'],
      `the file ${path} cannot be read: ${read.why}`,
      'a relative path begins at the folder of the settings',
    )
    return { problems: [problem], file: { path } }
  }
  const shared = { path, bytes: read.bytes }
  const shown = join(dirname(file), name)
  const { document, problems } = parseYaml(read.bytes, { file: shown, schema: fencesFileSchema })
  if (document === undefined || problems.length > 0) return { problems, file: shared }
  const validated = validate<SharedFences>(document, fencesFileSchema)
  return validated.valid ? { fences: validated.value.fences, document, file: shared } : { problems: validated.problems, file: shared }
}

/** Most settings need no document after they were checked: only the place of a secret that is missing is looked for in it. */
function documentOf(file: string, bytes: Uint8Array): LoadedSettings['document'] {
  let kept: WeakRef<YamlDocument> | undefined
  return () => {
    const document = (kept?.deref() ?? parseYaml(bytes, { file, schema: settingsSchema }).document) as YamlDocument
    kept = new WeakRef(document)
    return document
  }
}

/** One problem instead of many, if the file is a declaration. */
function declarationProblem(document: YamlDocument): readonly Problem[] | undefined {
  const { value } = document
  if (!isMap(value) || 'service' in value || !isMap(value.workspaces)) return undefined
  const hasRules = Object.values(value.workspaces).some((workspace) => isMap(workspace) && lists.some((list) => list in workspace))
  const cure = 'name the settings with --config; they name this file as their "declaration"'
  return hasRules ? [problemAt(document, ['workspaces'], 'this file is a declaration, not settings', cure, 'key')] : undefined
}

type Tree = Record<string, unknown>

/** Adds settings from the environment variables that operators of Plane know, unless the file has them. A mistake in one is a problem of the variable. */
function withEnvironment(document: YamlDocument, env: Environment): YamlDocument {
  const { value } = document
  if (!isMap(value)) return document
  const settings: Tree = { ...value }
  const added: Added[] = []
  const { PLANE_BASE_URL: baseUrl, PLANE_API_KEY: apiKey, PLANE_WORKSPACE_SLUG: slug } = env
  const service: unknown = settings.service ?? {}
  if (isMap(service)) {
    if (baseUrl !== undefined && !('baseUrl' in service)) added.push(fromVariable('PLANE_BASE_URL'))
    settings.service = {
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(apiKey === undefined || 'credential' in service || 'credentials' in service
        ? {}
        : { credential: { apiKey: { env: 'PLANE_API_KEY' } } }),
      ...service,
    }
  }
  if (slug !== undefined && settings.workspaces === undefined) {
    settings.workspaces = { [slug]: {} }
    added.push(fromVariable('PLANE_WORKSPACE_SLUG'))
  }
  return { ...document, value: settings, added }
}

const variables = {
  PLANE_BASE_URL: {
    path: ['service', 'baseUrl'],
    cure: 'write https://plane.example.com there, with a port or a path where they are needed, or write service.baseUrl in the settings',
  },
  PLANE_WORKSPACE_SLUG: {
    path: ['workspaces'],
    cure: 'write the slug of one workspace there, such as acme, or write workspaces in the settings, which can be several',
  },
} as const

const fromVariable = (name: keyof typeof variables): Added => ({ ...variables[name], place: `environment variable ${name}` })

const isMap = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Problems of the filters that the settings write. */
export const checkFilters = async (settings: Settings, document: YamlDocument): Promise<readonly Problem[]> => [
  ...(await checkLdapFilters(settings, document)),
  ...(await checkScimFilters(settings, document)),
]

/** The LDAP library reads the filters, and is only loaded if there is one. */
async function checkLdapFilters({ directories }: Settings, document: YamlDocument): Promise<readonly Problem[]> {
  const written = Object.entries(directories).flatMap(([name, directory]) => {
    if (directory.kind !== 'ldap') return []
    return (['groups', 'people'] as const).flatMap((of) => {
      const path = ['directories', name, of, 'filter']
      const text = directory[of]?.filter
      return text === undefined || valueAt(document.value, path) === undefined ? [] : [{ path, text }]
    })
  })
  if (written.length === 0) return []
  const { filterCure, filterFrom } = await import('../directories/ldap/filter.ts')
  return written.flatMap(({ path, text }) => {
    const filter = filterFrom(text)
    return 'fault' in filter ? [problemAt(document, path, `this is not an LDAP filter: ${filter.fault}`, filterCure)] : []
  })
}

async function checkScimFilters({ directories }: Settings, document: YamlDocument): Promise<readonly Problem[]> {
  const written = Object.entries(directories).flatMap(([name, directory]) =>
    directory.kind === 'scim' && directory.groups.filter !== undefined ? [{ name, text: directory.groups.filter }] : [],
  )
  if (written.length === 0) return []
  const { filterFault, scimFilterCure } = await import('../directories/scim/filter.ts')
  return written.flatMap(({ name, text }) => {
    const fault = filterFault(text)
    const path = ['directories', name, 'groups', 'filter']
    return fault === undefined ? [] : [problemAt(document, path, `this is not a SCIM filter: ${fault}`, scimFilterCure)]
  })
}

/** Problems of the schedule; if there is none, the shortest time between two of its ticks. */
export async function checkSchedule(
  { schedule }: Settings,
  document: YamlDocument,
): Promise<{ readonly problems: readonly Problem[]; readonly intervalMs: number }> {
  if (isDefaultSchedule(schedule)) return { problems: [], intervalMs: defaultSchedule.intervalMs }
  const { openSchedule, ScheduleError, shortestIntervalMs } = await import('./schedule.ts')
  const { cron, timezone } = schedule
  try {
    openSchedule(cron, timezone)
    return { problems: [], intervalMs: shortestIntervalMs(cron, timezone) }
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error
    return { problems: [problemAt(document, ['schedule', error.part], error.sentence, error.cure)], intervalMs: 0 }
  }
}
