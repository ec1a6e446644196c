import type { Change } from '../change.ts'
import type { Finding } from '../finding.ts'
import type { WorkspaceName } from '../mapping.ts'
import { isEchoed, lastAt, type RevertContext, reverts } from '../memory/written.ts'
import type { Plan } from '../plan.ts'
import { listed, momentText } from '../quantity.ts'
import { echoFinding } from './diffFindings.ts'

/** So often one key, or so many keys once. Somebody who corrects one or two things by hand is ordinary drift: that is what this program is for. */
const roundsMin = 2
const keysMin = 3
const shownMax = 3

/**
 * Changes that were written, and have to be written again: somebody else writes this workspace, too. One program that is right by its own
 * declaration undoes many keys at once, or the same key each time; a person who clicks does it to one or two, once. Where it is the service that keeps another role, that is told instead.
 */
export function anotherWriterFindings({ workspace, changes, holds }: Plan, looking: RevertContext): readonly Finding[] {
  // What the policy keeps may be thousands, and was not written under it.
  const waiting = holds.filter(({ reason }) => reason.kind !== 'undeclared' && reason.kind !== 'policy')
  const all = [...changes, ...waiting.flatMap(({ change }) => change ?? [])]
  const echoed: Finding[] = []
  const back = all.flatMap((change) => {
    const times = reverts(change, looking)
    if (times.length > 0 && isEchoed(change, looking)) {
      echoed.push(echoFinding(change.key, change.role, change.before))
      return []
    }
    return isBack(change, times, looking) ? [{ change, times }] : []
  })
  const most = back.toSorted((a, b) => b.times.length - a.times.length)
  if ((most[0]?.times.length ?? 0) < roundsMin && back.length < keysMin) return echoed
  const shown = most.slice(0, shownMax).map(({ change, times }) => backText(workspace, change, times))
  const more = back.length - shown.length
  const cure =
    'one workspace has one writer: is there a second plane-group-sync with a journal of its own, or a person in Plane? suspend one of them, or leave these groups to the other with unmanaged:'
  const ofRoles = most.some(({ change }) => change.action === 'patch') ? '; where it is Plane that keeps another role: roles.aliases' : ''
  return [
    ...echoed,
    {
      code: 'another-writer',
      severity: 'warning',
      place: workspace,
      sentence: `somebody undoes what is written: ${listed([...shown, ...(more === 0 ? [] : [`${more} more`])])}`,
      cure: cure + ofRoles,
    },
  ]
}

/** A list that lags shows the state of before, but not for longer than Δ, and not twice. */
function isBack({ key }: Change, times: readonly number[], { memory, readAtMs }: RevertContext): boolean {
  if (times.length === 0) return false
  return times.length >= roundsMin || (lastAt(memory.written, key)?.shownFromMs ?? 0) <= readAtMs
}

function backText(workspace: WorkspaceName, change: Change, times: readonly number[]): string {
  const place = change.key.slice(workspace.length + 1)
  const often = times.length === 1 ? 'written at' : `written ${times.length} times since`
  return `${place} (${often} ${momentText(times[0] as number)}, found ${foundText(change)})`
}

function foundText(change: Change): string {
  switch (change.action) {
    case 'create':
      return 'gone'
    case 'patch':
      return `as ${change.before}`
    case 'rename':
      return `under ${change.fromGroup}`
    case 'delete':
      return `back as ${change.before}`
    case 'settings':
      return 'changed'
    default:
      return change satisfies never
  }
}
