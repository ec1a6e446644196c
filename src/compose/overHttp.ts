import { complete } from '../core/optionalFields.ts'
import type { DirectoryReaders } from '../directories/deadline.ts'
import type { DirectoryReader, HttpEnvironment } from '../directories/overHttp/reader.ts'
import type { ClientProof, DirectoryClient, JwtForm } from '../directories/overHttp/token.ts'
import type { OriginOptions } from '../http/origin.ts'
import type { DirectorySettings } from '../settings/directories/directory.ts'
import type { ClientSettings } from '../settings/directories/shared.ts'
import type { LoadedSettings } from '../settings/load.ts'
import type { OriginBounds } from './bounds.ts'
import type { ProgramEnvironment } from './environment.ts'
import { loggedOrigin } from './origins.ts'

const connections = 8

/**
 * The readers of a directory over HTTP.
 *
 * @param open loads its code and makes its reader, at the first reading, so that commands that read no directory start sooner
 */
export function directoryOverHttp(
  { timeout, people }: { readonly timeout: number; readonly people?: object | undefined },
  environment: DirectoryEnvironment,
  open: (http: HttpEnvironment) => Promise<DirectoryReader>,
): DirectoryReaders {
  let opened: Promise<DirectoryReader> | undefined
  const reader = () => {
    opened ??= open(httpEnvironment(environment, timeout))
    return opened
  }
  return {
    read: async (signal, deadline) => (await reader()).read(signal, deadline),
    ...(people !== undefined && {
      members: async (groups, asOfMs, signal, deadline) => {
        const { members } = await reader()
        if (members === undefined) throw new TypeError('this kind of directory reads no members, and its settings ask for them')
        return members(groups, asOfMs, signal, deadline)
      },
    }),
  }
}

/** The environment of a directory over HTTP. @param timeoutMs the time limit of one request */
function httpEnvironment({ name, world, bounds }: DirectoryEnvironment, timeoutMs: number): HttpEnvironment {
  return complete<HttpEnvironment>({
    connect: (to, { ca, clientCertificate }) => {
      const options = complete<OriginOptions>({ ...bounds, connections, deadlineMs: timeoutMs, ca, clientCertificate })
      return loggedOrigin(world.connect(to, options), { directory: name, server: to.origin }, world)
    },
    secretSeen: world.secretSeen,
    now: world.clock.now,
    wall: world.clock.wall,
    wait: world.clock.sleep,
    random: world.random,
  })
}

/** The OAuth client of a directory, as its settings describe it. @param jwt the form of the JWTs that it signs, if the kind has one of its own */
export const oauthClientFrom = (settings: ClientSettings, environment: DirectoryEnvironment, jwt?: JwtForm): DirectoryClient => ({
  id: settings.id,
  ...proofFrom(settings, environment, jwt),
})

function proofFrom(
  { secret, authentication, privateKey, assertion, tls }: ClientSettings,
  environment: DirectoryEnvironment,
  jwt: JwtForm | undefined,
): ClientProof {
  const { path, world } = environment
  if (secret !== undefined)
    return complete<Extract<ClientProof, { secret: unknown }>>({ secret: () => world.secret(secret), authentication })
  if (privateKey !== undefined) {
    const { key, keyId, certificateFile } = privateKey
    return {
      privateKey: complete<Extract<ClientProof, { privateKey: unknown }>['privateKey']>({
        key: () => world.secret(key),
        keyId,
        certificateFile: certificateFile === undefined ? undefined : path(certificateFile),
        jwt,
      }),
    }
  }
  if (assertion !== undefined) return { assertion: () => world.secret(assertion) }
  if (tls !== undefined) return { tls: { certificateFile: path(tls.certificateFile), key: () => world.secret(tls.key) } }
  throw new TypeError('the schema of the settings lets a client pass that has nothing to prove its identity')
}

/** What every kind of directory gets beside its settings. */
export type DirectoryEnvironment = {
  /** The name in the settings. */
  readonly name: string
  /** The path of a file that the settings name. */
  readonly path: LoadedSettings['path']
  readonly world: ProgramEnvironment
  readonly bounds: OriginBounds
}

/** The settings of one kind of directory. */
export type SettingsOf<Kind extends DirectorySettings['kind']> = Extract<DirectorySettings, { kind: Kind }>
