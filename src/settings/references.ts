import type { Finding } from '../core/finding.ts'
import { groupFile } from '../directories/file.ts'
import { readBounded, readCertificates } from '../files/read.ts'
import { readSecret, SecretError, whySecretAbsent } from '../secrets/read.ts'
import { exactPlaceAt, type Path, problemAt, type YamlDocument } from '../yaml/document.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { type Problem, problemOfFile } from '../yaml/problem.ts'
import { partsOf, secrecyOf } from '../yaml/schemaAt.ts'
import { yamlBytesMax } from '../yaml/source.ts'
import type { z } from '../yaml/zod.ts'
import { credentialsOf } from './check.ts'
import { type DirectorySettings, directorySchema } from './directories/directory.ts'
import type { Environment, LoadedSettings } from './load.ts'
import { certificatesName, whyNoReceiver } from './notify.ts'
import { proxyProblems } from './proxies.ts'
import { isCertificateFile, type SecretReference } from './scalars.ts'

/**
 * Reads every secret and certificate that the settings name, before anything else is done. A missing one is a problem at its place in the
 * settings. `validate` does not call this, because the secrets of production are not available where the files are reviewed. The receivers of `notify` are not
 * among them: only the daemon needs them, and it runs without them.
 *
 * @param read reads the value of a reference; throws `SecretError`
 * @param only the part of the settings that is used; default: all
 */
export async function brokenReferences(
  loaded: LoadedSettings,
  env: Environment,
  read: (reference: SecretReference) => Promise<unknown>,
  only?: { readonly directories: ReadonlySet<string> },
): Promise<readonly Problem[]> {
  const at = placing(loaded)
  const problems = await brokenSecrets(secretsOf(loaded, only), at, read)
  return [...problems, ...(await brokenCertificates(certificatesOf(loaded, only), loaded, at)), ...proxyProblems(env)]
}

async function brokenSecrets(
  references: readonly Reference[],
  at: At,
  read: (reference: SecretReference) => Promise<unknown>,
  whyWrong: (value: string) => string | undefined = () => undefined,
): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  // The files are read one after the other: thousands of files at once would be too many.
  for (const { place, reference } of references) {
    try {
      const why = whyWrong(String(await read(reference)))
      if (why !== undefined) problems.push(at(place, why, 'put the whole address of the webhook into it'))
    } catch (error) {
      if (!(error instanceof SecretError)) throw error
      problems.push(at(place, error.message, error.cure))
    }
  }
  return problems
}

/**
 * The problems that `brokenReferences` finds, for `doctor`, and the findings about files of secrets that can be read.
 *
 * @param registry gets every secret that was read
 */
export async function checkReferences(
  loaded: LoadedSettings,
  env: Environment,
  registry: { add(secret: string): void },
): Promise<{ readonly count: number; readonly problems: readonly Problem[]; readonly findings: readonly Finding[] }> {
  const findings: Finding[] = []
  const sources = { env, registry, path: loaded.path, noteFinding: (finding: Finding) => void findings.push(finding) }
  const read = (reference: SecretReference) => readSecret(reference, sources)
  const receivers = receiversOf(loaded)
  const at = placing(loaded)
  const problems = [
    ...(await brokenReferences(loaded, env, read)),
    ...(await brokenSecrets(receivers, at, read, whyNoReceiver)),
    ...(await brokenCertificates(receiverCertificates(loaded), loaded, at)),
  ]
  return { count: secretsOf(loaded, undefined).length + receivers.length, problems, findings }
}

/**
 * The problems of secrets and certificates that edited settings name, as `brokenReferences` finds them, without those that the settings in use have, too.
 *
 * @returns a text with each problem and its line; undefined if there is none
 */
export async function newlyBroken(
  edited: LoadedSettings,
  inUse: LoadedSettings,
  env: Environment,
  read: (reference: SecretReference) => Promise<unknown>,
): Promise<string | undefined> {
  const before = new Set((await brokenReferences(inUse, env, read)).map(({ message }) => message))
  const problems = (await brokenReferences(edited, env, read)).filter(({ message }) => !before.has(message))
  return problems.length === 0 ? undefined : invalidFiles(problems).text
}

/**
 * Problems of the files that the settings name, for `validate`: certificates, and files of groups. A missing file of groups is not a problem, because
 * another program may write it where the settings are used.
 */
export async function brokenFiles(loaded: LoadedSettings, signal: AbortSignal): Promise<readonly Problem[]> {
  const { settings, path } = loaded
  const at = placing(loaded)
  const files = Object.entries(settings.directories).map(async ([name, directory]): Promise<readonly Problem[]> => {
    if (directory.kind !== 'file') return []
    const content = await readBounded(path(directory.path), { bytesMax: yamlBytesMax }, signal)
    if ('why' in content && content.reason === 'missing') return []
    const reading = await groupFile(path(directory.path), () => 0).read(signal)
    return reading.status === 'failed'
      ? [at(['directories', name, 'path'], `the groups cannot be read: ${reading.why}`, reading.cure ?? 'check the file')]
      : []
  })
  const certificates = [...certificatesOf(loaded), ...receiverCertificates(loaded)]
  return [...(await brokenCertificates(certificates, loaded, at)), ...(await Promise.all(files)).flat()]
}

/**
 * A note at each secret that the settings name and that is absent, for `validate`: the secrets of production are not available where the files are
 * reviewed.
 */
export async function absentSecrets(loaded: LoadedSettings, env: Environment): Promise<readonly Problem[]> {
  const at = placing(loaded)
  const notes: Problem[] = []
  for (const { place, reference } of [...secretsOf(loaded, undefined), ...receiversOf(loaded)]) {
    const absent = await whySecretAbsent(reference, { env, path: loaded.path })
    if (absent === undefined) continue
    const sentence = `not checked: ${place.join('.')} comes from ${absent.source}, which ${absent.why}`
    const who = place[0] === 'notify' ? 'only run tells, and needs it' : 'all other commands need it'
    notes.push(at(place, sentence, `${who}; validate checks everything else without it`))
  }
  return notes
}

/**
 * The files of secrets and certificates that the settings name, by what uses them, as `Reference` has it. The certificates of Plane belong to each credential. What
 * uses no file is absent.
 */
export function secretFilesOf(loaded: LoadedSettings): ReadonlyMap<string, readonly string[]> {
  const { settings, path } = loaded
  const { caFile } = settings.service
  const credentials = caFile === undefined ? [] : Object.keys(credentialsOf(settings))
  const named = [
    ...credentials.map((name) => ({ of: `credential ${name}`, file: caFile ?? '' })),
    ...Object.entries(settings.directories).flatMap(([name, directory]) =>
      certificateFilesIn(directory).map(({ value }) => ({ of: `directory ${name}`, file: value })),
    ),
    ...receiverCertificates(loaded).map(({ file }) => ({ of: 'notify', file })),
    ...[...secretsOf(loaded, undefined), ...receiversOf(loaded)].flatMap(({ of, reference }) =>
      'file' in reference ? [{ of, file: reference.file }] : [],
    ),
  ]
  const byUser = Map.groupBy(named, ({ of }) => of)
  return new Map([...byUser].map(([of, files]) => [of, files.map(({ file }) => path(file))]))
}

type At = (place: Path, message: string, cure: string | undefined) => Problem

/** Makes problems at places of the settings. A place that their file does not have comes from the environment, so no line of it is shown. */
function placing({ document, file }: LoadedSettings): At {
  let known: YamlDocument | undefined
  return (place, message, cure) => {
    known ??= document()
    return exactPlaceAt(known, place) === undefined ? problemOfFile(file, message, cure) : problemAt(known, place, message, cure)
  }
}

/** The part of the settings that is used. */
type Part = { readonly directories: ReadonlySet<string> } | undefined

/** `of`: what uses it: `credential NAME`, `directory NAME`, `http.page` or `notify`. */
type Reference = { readonly of: string; readonly place: Path; readonly reference: SecretReference }

function secretsOf({ settings }: LoadedSettings, only: Part): readonly Reference[] {
  const { service, directories, http } = settings
  const credentials = Object.entries(only === undefined ? credentialsOf(settings) : {}).map(([name, credential]): Reference => {
    const of = `credential ${name}`
    const place = service.credentials?.[name] === credential ? ['service', 'credentials', name] : ['service', 'credential']
    if ('apiKey' in credential) return { of, place: [...place, 'apiKey'], reference: credential.apiKey }
    return { of, place: [...place, 'oauth', 'clientSecret'], reference: credential.oauth.clientSecret }
  })
  const ofDirectories = Object.entries(directories).flatMap(([name, directory]): readonly Reference[] => {
    if (only?.directories.has(name) === false) return []
    return secretsIn(directory).map(({ path, value }) => ({
      of: `directory ${name}`,
      place: ['directories', name, ...path],
      reference: value,
    }))
  })
  const page = only !== undefined || http === 'none' || http.page === undefined || !('token' in http.page) ? undefined : http.page.token
  const ofPage = page === undefined ? [] : [{ of: 'http.page', place: ['http', 'page', 'token'], reference: page }]
  return [...credentials, ...ofDirectories, ...ofPage]
}

/** The addresses of the receivers of `notify`. */
const receiversOf = ({ settings }: LoadedSettings): readonly Reference[] =>
  settings.notify.map(({ url }, index) => ({ of: 'notify', place: ['notify', index, 'url'], reference: url }))

type CertificateFile = { readonly place: Path; readonly file: string }

const receiverCertificates = ({ settings }: LoadedSettings): readonly CertificateFile[] =>
  settings.notify.flatMap(({ caFile }, index) => (caFile === undefined ? [] : [{ place: ['notify', index, 'caFile'], file: caFile }]))

const certificatesOf = ({ settings: { service, directories } }: LoadedSettings, only?: Part): readonly CertificateFile[] => [
  ...(only === undefined && service.caFile !== undefined ? [{ place: ['service', 'caFile'], file: service.caFile }] : []),
  ...Object.entries(directories).flatMap(([name, directory]) =>
    only?.directories.has(name) === false
      ? []
      : certificateFilesIn(directory).map(({ path, value }) => ({ place: ['directories', name, ...path], file: value })),
  ),
]

async function brokenCertificates(
  named: readonly CertificateFile[],
  { path }: Pick<LoadedSettings, 'path'>,
  at: At,
): Promise<readonly Problem[]> {
  const problems = named.map(async ({ place, file }) => {
    const read = await readCertificates(path(file))
    if (typeof read === 'string') return []
    const cure = 'name a file of certificates (PEM) that this program may read'
    return [at(place, `the certificates of ${certificatesName(file)} cannot be read: ${read.why}`, cure)]
  })
  return (await Promise.all(problems)).flat()
}

type Place<T> = { readonly path: Path; readonly value: T }

/** All references to secrets in the settings of a directory, of any kind. Paths begin below the directory. */
const secretsIn = (directory: DirectorySettings): readonly Place<SecretReference>[] =>
  // The schema of such a place takes nothing but a reference, and the settings have passed the schema.
  valuesWhere(directorySchema, directory, (schema) => secrecyOf(schema)?.cure !== undefined) as readonly Place<SecretReference>[]

/** All files of certificates in the settings of a directory. */
const certificateFilesIn = (directory: DirectorySettings): readonly Place<string>[] =>
  valuesWhere(directorySchema, directory, isCertificateFile) as readonly Place<string>[]

/** The values whose schemas are wanted. Several branches of a union may have the same place. */
function valuesWhere(
  schema: z.ZodType,
  value: unknown,
  isWanted: (schema: z.ZodType) => boolean,
  path: Path = [],
): readonly Place<unknown>[] {
  if (value === undefined) return []
  if (isWanted(schema)) return [{ path, value }]
  if (typeof value !== 'object' || value === null) return []
  const places = partsOf(schema).flatMap(({ kind, step, part }) => {
    const entry = Object.entries(value).find(([key]) => kind === 'field' && key === step)
    return entry === undefined ? [] : valuesWhere(part, entry[1], isWanted, [...path, entry[0]])
  })
  return [...new Map(places.map((place) => [place.path.join('\n'), place])).values()]
}
