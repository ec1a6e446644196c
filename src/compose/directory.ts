import { readFile } from 'node:fs/promises'
import type { World } from '../compose.ts'
import type { GroupIndex } from '../core/group.ts'
import type { Reading } from '../core/reading.ts'
import type { Directory } from '../cycle.ts'
import { groupFile } from '../directories/file.ts'
import type { OriginOptions } from '../http/origin.ts'
import type { LoadedSettings } from '../settings/load.ts'
import type { DirectorySettings } from '../settings/schema.ts'

export type Bounds = Omit<OriginOptions, 'connections' | 'deadlineMs' | 'ca'>
type Read = (signal: AbortSignal) => Promise<Reading<GroupIndex>>
type Of<Kind extends DirectorySettings['kind']> = Extract<DirectorySettings, { kind: Kind }>

/**
 * One directory of the settings as something that can be read. Certificates and secrets are read anew each time; a reader is loaded when it
 * is first used, so that commands that read no directory start sooner.
 */
export function directoryFrom(said: DirectorySettings, { path }: LoadedSettings, world: World, bounds: Bounds): Directory {
  const { kind, shrink } = said
  switch (said.kind) {
    case 'file':
      return { kind, shrink, read: groupFile(path(said.path), world.clock.now).read }
    case 'ldap':
      return { kind, shrink, read: withCa(said.caFile, path, world, (ca, signal) => readLdapDirectory(said, ca, world, signal)) }
    case 'keycloak':
      return { kind, shrink, read: withCa(said.caFile, path, world, (ca, signal) => readKeycloakRealm(said, ca, world, bounds, signal)) }
    default:
      return said satisfies never
  }
}

type Ca = { readonly ca: string; readonly caFile: string } | undefined

async function readLdapDirectory(
  said: Of<'ldap'>,
  ca: Ca,
  { clock, secret, debug }: World,
  signal: AbortSignal,
): Promise<Reading<GroupIndex>> {
  const { readLdap } = await import('../directories/ldap/read.ts')
  const { member, id, ...groups } = said.groups
  const { addresses, startTls, allowPlaintext, serverName, bind, pageSize, groupsMax, membersMax, referrals } = said
  const ldap = {
    ...{ addresses, startTls, allowPlaintext, pageSize, groupsMax, membersMax, referrals },
    timeoutMs: said.timeout,
    bind: bind === 'anonymous' ? bind : { dn: bind.dn, password: () => secret(bind.password) },
    groups: { ...groups, ...(member === undefined ? {} : { members: member }), ...(id === undefined ? {} : { id }) },
    ...(serverName === undefined ? {} : { serverName }),
    ...ca,
  }
  return readLdap(ldap, { now: clock.now, log: debug }, signal)
}

async function readKeycloakRealm(
  said: Of<'keycloak'>,
  ca: Ca,
  world: World,
  bounds: Bounds,
  signal: AbortSignal,
): Promise<Reading<GroupIndex>> {
  const { keycloak } = await import('../directories/keycloak.ts')
  const { url, realm, issuer, client, groupsMax, pageSize } = said
  const { under, ...groups } = said.groups
  const settings = {
    url: new URL(url),
    realm,
    ...(issuer === undefined ? {} : { issuer: new URL(issuer) }),
    plainHttp: said.allowPlaintext,
    client: { ...client, secret: () => world.secret(client.secret) },
    groups: { ...groups, ...(under === undefined ? {} : { under }) },
    limits: { pageSize, groupsMax, depthMax: 32, requestsMax: 2 * groupsMax + 1_000, attemptsMax: 4, concurrency: 4 },
  }
  const connect = (to: URL) =>
    world.connect(to, { ...bounds, connections: 8, deadlineMs: said.timeout, ...(ca === undefined ? {} : { ca: ca.ca }) })
  const { clock, random, secretSeen: learned } = world
  return keycloak(settings, { connect, learned, now: clock.now, wait: clock.sleep, random }).read(signal)
}

/** A CA file that is missing fails this directory's reading, and nothing else. */
function withCa(
  file: string | undefined,
  path: (relative: string) => string,
  { clock }: World,
  read: (ca: Ca, signal: AbortSignal) => Promise<Reading<GroupIndex>>,
): Read {
  return async (signal) => {
    const atMs = clock.now()
    if (file === undefined) return read(undefined, signal)
    const caFile = path(file)
    const ca = await readFile(caFile, 'utf8').catch((error: NodeJS.ErrnoException) => error)
    if (typeof ca === 'string') return read({ ca, caFile }, signal)
    const why = `caFile ${caFile} cannot be read (${ca.code ?? ca.message})`
    return { status: 'failed', why, cure: 'put the certificates of the issuing CA (PEM) there', atMs, tookMs: clock.now() - atMs }
  }
}
