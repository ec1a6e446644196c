import { readFile } from 'node:fs/promises'
import type { World } from '../compose.ts'
import type { Directory } from '../cycle.ts'
import { groupFile } from '../directories/file.ts'
import { connectOrigin, type OriginOptions } from '../http/origin.ts'
import type { LoadedSettings } from '../settings/load.ts'
import type { DirectorySettings } from '../settings/schema.ts'

export type Bounds = Omit<OriginOptions, 'deadlineMs' | 'ca'>

/** One directory of the settings as something that can be read. Its certificates and secrets are read anew each time. */
export function directoryFrom(
  said: DirectorySettings,
  { path }: LoadedSettings,
  { clock, random, secret, debug }: World,
  bounds: Bounds,
): Directory {
  const { kind, shrink } = said
  switch (said.kind) {
    case 'file':
      return { kind, shrink, read: groupFile(path(said.path), clock.now).read }
    case 'ldap':
      return {
        kind,
        shrink,
        read: async (signal) => {
          // Loaded where it is used: commands that read no LDAP start sooner.
          const { readLdap } = await import('../directories/ldap/read.ts')
          const { member, base, scope, filter, name, id } = said.groups
          const { bind } = said
          const groups = {
            base,
            scope,
            filter,
            name,
            ...(member === undefined ? {} : { members: member }),
            ...(id === undefined ? {} : { id }),
          }
          const ldap = {
            ...said,
            groups,
            ...(await readOptional(said.caFile, path)),
            bind: bind === 'anonymous' ? bind : { dn: bind.dn, password: () => secret(bind.password) },
            timeoutMs: said.timeout,
            membersMax: 1_000_000,
          }
          return readLdap(withoutUndefined(ldap), { now: clock.now, log: debug }, signal)
        },
      }
    case 'keycloak':
      return {
        kind,
        shrink,
        read: async (signal) => {
          const { keycloak } = await import('../directories/keycloak.ts')
          const ca = await readOptional(said.caFile, path)
          const { under, ...groups } = said.groups
          const limits = {
            pageSize: said.pageSize,
            groupsMax: said.groupsMax,
            depthMax: 32,
            requestsMax: 2 * said.groupsMax + 1_000,
            attemptsMax: 4,
            concurrency: 4,
          }
          const settings = {
            url: new URL(said.url),
            realm: said.realm,
            plainHttp: said.allowPlaintext,
            ...(said.issuer === undefined ? {} : { issuer: new URL(said.issuer) }),
            client: { ...said.client, secret: () => secret(said.client.secret) },
            groups: { ...groups, ...(under === undefined ? {} : { under }) },
            limits,
          }
          const connect = (url: URL) => connectOrigin(url, { ...bounds, deadlineMs: said.timeout, ...ca })
          return keycloak(settings, { connect, now: clock.now, wait: clock.sleep, random }).read(signal)
        },
      }
    default:
      return said satisfies never
  }
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }
const withoutUndefined = <T extends object>(value: T): Defined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Defined<T>

/** A CA file of the settings, if they name one. */
export async function readOptional(file: string | undefined, path: (relative: string) => string): Promise<{ readonly ca?: string }> {
  return file === undefined ? {} : { ca: await readFile(path(file), 'utf8') }
}
