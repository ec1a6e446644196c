import type { Service } from '../core/memory/entry.ts'
import type { Settings } from './schema.ts'

/** Host, port and base path of a service. Two services never have the same address: `http:` shows its default port, and `https:` does not. */
export function serviceAddress(baseUrl: string): string {
  const { protocol, host, port, pathname } = new URL(baseUrl)
  return `${host}${protocol === 'http:' && port === '' ? ':80' : ''}${pathname.replace(/\/+$/, '')}`
}

/** The service that these settings are about. What lies beside a journal says of which service it is, and means nothing for another one. */
export const serviceOf = ({ service, workspaces }: Settings): Service => ({
  host: serviceAddress(service.baseUrl),
  slugs: Object.fromEntries(Object.entries(workspaces).map(([name, { slug = name }]) => [name, slug])),
})

/** The difference between the service of a file beside the journal (`then`) and of the settings (`now`), in words; undefined if there is none. */
export function elsewhere(then: Service | undefined, now: Service): string | undefined {
  if (then === undefined) return undefined
  if (then.host !== now.host) return `the service at ${then.host}, not at ${now.host}`
  const moved = Object.keys(now.slugs).find((name) => then.slugs[name] !== undefined && then.slugs[name] !== now.slugs[name])
  return moved === undefined ? undefined : `a workspace ${moved} with the slug "${then.slugs[moved]}", not "${now.slugs[moved]}"`
}
