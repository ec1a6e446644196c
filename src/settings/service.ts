import type { Service } from '../core/memory/entry.ts'
import { durationText } from '../core/quantity.ts'
import type { Settings } from './schema.ts'

/** What a journal is about: what it remembers means nothing for another service. */
export const serviceOf = ({ service, workspaces }: Settings): Service => ({
  host: new URL(service.baseUrl).host,
  slugs: Object.fromEntries(Object.entries(workspaces).map(([name, { slug = name }]) => [name, slug])),
})

/** In words what was there `then` and is another `now`; undefined where both are the same service. */
export function elsewhere(then: Service | undefined, now: Service): string | undefined {
  if (then === undefined) return undefined
  if (then.host !== now.host) return `the service at ${then.host}, not at ${now.host}`
  const moved = Object.keys(now.slugs).find((name) => then.slugs[name] !== undefined && then.slugs[name] !== now.slugs[name])
  return moved === undefined ? undefined : `a workspace ${moved} with the slug "${then.slugs[moved]}", not "${now.slugs[moved]}"`
}

/** Settings that a process reads once, at its start. */
const readAtStart = ['http', 'journal', 'log'] as const

/**
 * Which edits only the next start takes up; all others that are made with them are taken up at once.
 *
 * For these and for `service.unknownOutcomeWait` the chart starts a new pod (`plane-group-sync.newPodFor` in its `_helpers.tpl`), and for no
 * other setting: `test/chart/restart.test.ts` compares the two.
 *
 * @param started the settings that the process began with
 */
export const waitForStart = (started: Settings, edited: Settings): readonly string[] =>
  readAtStart.filter((name) => JSON.stringify(started[name]) !== JSON.stringify(edited[name]))

/**
 * Why a running process cannot take up edited settings, in a sentence; undefined where it can. Its journal is about the service that it began
 * with, and what it still waits for was promised with the wait of then.
 */
export function needsRestart(inUse: Settings, edited: Settings): string | undefined {
  const about = elsewhere(serviceOf(inUse), serviceOf(edited))
  if (about !== undefined) return `this process works with ${about}: that needs a restart, and a journal.folder of its own`
  const [was, is] = [inUse.service.unknownOutcomeWait, edited.service.unknownOutcomeWait]
  if (was === is) return undefined
  return `service.unknownOutcomeWait is now ${durationText(is)} instead of ${durationText(was)}: that needs a restart`
}
