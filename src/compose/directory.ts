import { defined } from '../core/fields.ts'
import type { GroupIndex } from '../core/group.ts'
import type { Reading } from '../core/reading.ts'
import type { Directory } from '../cycle/directoryReadings.ts'
import { groupFile } from '../directories/file.ts'
import type { KeycloakEnvironment, KeycloakSettings } from '../directories/keycloak.ts'
import type { LdapCall } from '../directories/ldap/loggedClient.ts'
import type { LdapSettings } from '../directories/ldap/settings.ts'
import { readCertificates } from '../files/certificates.ts'
import type { OriginOptions } from '../http/origin.ts'
import type { LoadedSettings } from '../settings/load.ts'
import type { DirectorySettings } from '../settings/schema.ts'
import { type Complete, complete } from './complete.ts'
import type { ProgramEnvironment } from './environment.ts'
import { loggedOrigin } from './loggedOrigin.ts'
import { withReadingDeadline } from './readingDeadline.ts'

/** The options that are the same for every origin. */
export type Bounds = Complete<Omit<OriginOptions, 'connections' | 'deadlineMs' | 'ca'>>
type Read = (signal: AbortSignal) => Promise<Reading<GroupIndex>>
type Of<Kind extends DirectorySettings['kind']> = Extract<DirectorySettings, { kind: Kind }>

/** The time limit for a file of groups, which has at most a megabyte. Only a disk that does not answer takes so long. */
const fileDeadlineMs = 60_000

/**
 * A reader for one directory of the settings. Certificates and secrets are read again each time. The code for a kind of directory is loaded
 * at its first use, so that commands that read no directory start sooner.
 */
export function directoryFrom(
  name: string,
  settings: DirectorySettings,
  loaded: LoadedSettings,
  world: ProgramEnvironment,
  bounds: Bounds,
): Directory {
  const { kind, shrink, expect } = settings
  const deadline =
    settings.kind === 'file' ? { ms: fileDeadlineMs } : { ms: settings.readingTimeout, setting: `directories.${name}.readingTimeout` }
  const read = withReadingDeadline(readOf(name, settings, loaded, world, bounds), deadline, world.clock.now)
  return { kind, shrink, ...defined({ expect: expect && defined(expect) }), read }
}

function readOf(name: string, settings: DirectorySettings, { path }: LoadedSettings, world: ProgramEnvironment, bounds: Bounds): Read {
  switch (settings.kind) {
    case 'file':
      return groupFile(path(settings.path), world.clock.now).read
    case 'ldap':
      return withCa(settings.caFile, path, world, (ca, signal) => readLdapDirectory(name, settings, ca, world, signal))
    case 'keycloak':
      return withCa(settings.caFile, path, world, (ca, signal) => readKeycloakRealm(name, settings, ca, world, bounds, signal))
    default:
      return settings satisfies never
  }
}

type Ca = { readonly ca: string; readonly caFile: string } | undefined

async function readLdapDirectory(
  name: string,
  said: Of<'ldap'>,
  ca: Ca,
  { clock, secret, debug, logCall }: ProgramEnvironment,
  signal: AbortSignal,
): Promise<Reading<GroupIndex>> {
  const { readLdap } = await import('../directories/ldap/read.ts')
  const { addresses, startTls, allowPlaintext, serverName, bind, groups, pageSize, groupsMax, membersMax, referrals } = said
  const settings = complete<LdapSettings>({
    addresses,
    startTls,
    allowPlaintext,
    serverName,
    ca: ca?.ca,
    caFile: ca?.caFile,
    bind: bind === 'anonymous' ? bind : { dn: bind.dn, password: () => secret(bind.password) },
    groups: complete<LdapSettings['groups']>({
      base: groups.base,
      scope: groups.scope,
      filter: groups.filter,
      name: groups.name,
      members: groups.member,
      id: groups.id,
    }),
    pageSize,
    timeoutMs: said.timeout,
    groupsMax,
    membersMax,
    referrals,
  })
  const onCall = logCall === undefined ? {} : { onCall: (call: LdapCall) => logCall({ directory: name, ...call }) }
  return readLdap(settings, { now: clock.now, log: debug, ...onCall }, signal)
}

async function readKeycloakRealm(
  name: string,
  said: Of<'keycloak'>,
  ca: Ca,
  world: ProgramEnvironment,
  bounds: Bounds,
  signal: AbortSignal,
): Promise<Reading<GroupIndex>> {
  const { keycloak } = await import('../directories/keycloak.ts')
  const { url, realm, issuer, allowPlaintext, client, groups, pageSize, groupsMax } = said
  const settings = complete<KeycloakSettings>({
    url: new URL(url),
    realm,
    issuer: issuer === undefined ? undefined : new URL(issuer),
    allowPlaintext,
    client: complete<KeycloakSettings['client']>({
      id: client.id,
      secret: () => world.secret(client.secret),
      authentication: client.authentication,
    }),
    groups: complete<KeycloakSettings['groups']>({
      name: groups.name,
      slashes: groups.slashes,
      under: groups.under,
      members: groups.members,
    }),
    limits: { pageSize, groupsMax },
  })
  const options = complete<OriginOptions>({ ...bounds, connections: 8, deadlineMs: said.timeout, ca: ca?.ca })
  const environment = complete<KeycloakEnvironment>({
    connect: (to) => loggedOrigin(world.connect(to, options), { directory: name, server: to.origin }, world),
    onToken: world.secretSeen,
    now: world.clock.now,
    wait: world.clock.sleep,
    random: world.random,
  })
  return keycloak(settings, environment).read(signal)
}

/** A missing CA file fails the reading of this directory only. */
function withCa(
  file: string | undefined,
  path: (relative: string) => string,
  { clock }: ProgramEnvironment,
  read: (ca: Ca, signal: AbortSignal) => Promise<Reading<GroupIndex>>,
): Read {
  return async (signal) => {
    const atMs = clock.now()
    if (file === undefined) return read(undefined, signal)
    const caFile = path(file)
    const ca = await readCertificates(caFile, signal)
    if (typeof ca === 'string') return read({ ca, caFile }, signal)
    const why = `caFile ${caFile} cannot be read: ${ca.why}`
    return { status: 'failed', why, cure: 'put the certificates of the issuing CA (PEM) there', atMs, tookMs: clock.now() - atMs }
  }
}
