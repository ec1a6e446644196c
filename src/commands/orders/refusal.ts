import type { WorkspaceName } from '../../core/mapping.ts'
import { visible } from '../../core/safeName.ts'
import type { Order, OrderAnswer } from '../../documents/order.ts'
import type { LoadedSettings } from '../../settings/load.ts'
import { elsewhere, serviceOf } from '../../settings/service.ts'
import { exitCodes } from '../command.ts'

/** Why a daemon with these settings refuses an order, with the next step; undefined if it carries it out. */
export function refusalOf(order: Order, { settings }: LoadedSettings, isDryRun: boolean): string | undefined {
  const about = elsewhere(serviceOf(settings), order.service)
  if (about !== undefined)
    return `The daemon works with ${about}, as the settings of this command say. Name the settings of the daemon with --config, or give these settings a journal.folder of their own.`
  // What makes less possible is always allowed.
  if (order.kind === 'withdraw') return undefined
  const known = Object.keys(settings.workspaces) as WorkspaceName[]
  const asked = workspacesOf(order) ?? known
  const unknown = asked.find((name) => !known.includes(name))
  if (unknown !== undefined) return `The daemon has no workspace "${unknown}". It has ${known.join(', ')}.`
  const unnamed = workspacesOf(order)?.find((name) => !Object.hasOwn(order.service.slugs, name))
  if (unnamed !== undefined) return `The settings of this command have no workspace "${unnamed}".`
  if (order.kind === 'approve') {
    const foreign = order.approvals.find(({ workspace, words }) =>
      words?.changes.some((change) => 'key' in change && !change.key.startsWith(`${workspace}/`)),
    )
    if (foreign !== undefined)
      return `An approval for ${foreign.workspace} names a change of another workspace. Approve each workspace by itself.`
  }
  if (order.kind === 'plan') return undefined
  if (isDryRun) return 'The daemon runs with --dry-run, so it writes nothing. Start it without --dry-run.'
  const stops = asked.map((name) => stopOf(settings, name))
  const [first] = stops
  return first !== undefined && stops.every((stop) => stop !== undefined) ? first : undefined
}

/** The workspaces for which a daemon with these settings runs a cycle for an order; undefined: all. A sentence if it lacks some. */
export function workspacesToRun(
  order: Exclude<Order, { kind: 'withdraw' }>,
  { settings }: LoadedSettings,
): readonly WorkspaceName[] | string | undefined {
  const named = workspacesOf(order)
  if (named !== undefined) return named
  const known = Object.keys(settings.workspaces)
  const asked = Object.keys(order.service.slugs)
  const lacking = asked.filter((name) => !known.includes(name))
  if (lacking.length > 0)
    return `The settings of this command have ${lacking.join(', ')}, and the daemon has only ${known.join(', ')}. --workspace names those that it has.`
  return asked.length === known.length ? undefined : (asked as WorkspaceName[])
}

function stopOf({ workspaces, suspend, policy }: LoadedSettings['settings'], name: WorkspaceName): string | undefined {
  const said = workspaces[name]
  if ((said?.suspend ?? suspend) === true)
    return `The settings suspend ${name}: nothing is written there. Remove "suspend" from the settings first.`
  if ((said?.policy ?? policy) === 'observe')
    return `The policy of ${name} is "observe": nothing is written there. Change "policy" in the settings first.`
  return undefined
}

export const refused = (why: string): OrderAnswer => ({ exit: exitCodes.refused, out: '', err: `${visible(why)}\n` })

/** The workspaces that an order names; undefined: all of its settings. */
function workspacesOf(order: Order): readonly WorkspaceName[] | undefined {
  if (order.kind === 'withdraw') return []
  return order.kind === 'approve' ? order.approvals.map(({ workspace }) => workspace) : order.only
}
