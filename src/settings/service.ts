import type { Service } from '../core/memory/entry.ts'
import type { Settings } from './schema.ts'

/** Host, port and base path of a service. Two services never have the same address: `http:` shows its default port, and `https:` does not. */
export function serviceAddress(baseUrl: string): string {
  const { protocol, host, port, pathname } = new URL(baseUrl)
  return `${host}${protocol === 'http:' && port === '' ? ':80' : ''}${pathname.replace(/\/+$/, '')}`
}

type NamedService = {
  readonly service: Pick<Settings['service'], 'baseUrl'>
  readonly workspaces: Readonly<Record<string, Pick<Settings['workspaces'][string], 'slug'>>>
}
/** The service that these settings are about. What lies beside a journal says of which service it is, and means nothing for another one. */
export const serviceOf = ({ service, workspaces }: NamedService): Service => ({
  host: serviceAddress(service.baseUrl),
  slugs: Object.fromEntries(Object.entries(workspaces).map(([name, { slug = name }]) => [name, slug])),
})

/** The difference between the hosts of two services, in words; undefined if there is none. */
export const otherHost = (then: Service | undefined, now: Service): string | undefined =>
  then === undefined || then.host === now.host ? undefined : `the service at ${then.host}, not at ${now.host}`

/** The difference between the services of two settings, in words; undefined if there is none. */
export function elsewhere(then: Service, now: Service): string | undefined {
  const moved = Object.keys(now.slugs).find((name) => then.slugs[name] !== undefined && then.slugs[name] !== now.slugs[name])
  const slugs = moved === undefined ? undefined : `a workspace ${moved} with the slug "${then.slugs[moved]}", not "${now.slugs[moved]}"`
  return otherHost(then, now) ?? slugs
}
