import type { Service } from '../core/memory/entry.ts'
import type { Settings } from './schema.ts'

/** The service that a journal belongs to. Its memory is invalid for another service. */
export const serviceOf = ({ service, workspaces }: Settings): Service => ({
  host: new URL(service.baseUrl).host,
  slugs: Object.fromEntries(Object.entries(workspaces).map(([name, { slug = name }]) => [name, slug])),
})

/** The difference between the service of a journal (`then`) and of the settings (`now`), in words; undefined if there is none. */
export function elsewhere(then: Service | undefined, now: Service): string | undefined {
  if (then === undefined) return undefined
  if (then.host !== now.host) return `the service at ${then.host}, not at ${now.host}`
  const moved = Object.keys(now.slugs).find((name) => then.slugs[name] !== undefined && then.slugs[name] !== now.slugs[name])
  return moved === undefined ? undefined : `a workspace ${moved} with the slug "${then.slugs[moved]}", not "${now.slugs[moved]}"`
}
