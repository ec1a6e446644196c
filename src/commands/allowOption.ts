import { waiverDigits } from '../core/change.ts'
import { closedDoor } from '../core/doors.ts'
import { bareId, idWithPeople, partsOfId } from '../core/idWithPeople.ts'
import { idsForTooFew, idsThatWait, type Judged, type TooFew, unmatchedIds } from '../core/judge/guards.ts'
import { listedFirst } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'
import type { Waiver } from '../core/waiver.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'
import { ownAccount } from '../files/account.ts'
import type { Settings } from '../settings/schema.ts'
import { type Call, type Terminal, texts, UsageError } from './command.ts'
import { claimedName } from './orders/askDaemon.ts'

/** `--allow`: the operator lets exactly the named plan or changes pass the guards, in this run only. @throws {UsageError} */
export function waiversOf(values: Call['values'], terminal: Pick<Terminal, 'env'>): readonly Waiver[] {
  const ids = texts(values.allow)
  const wrong = ids.find((id) => !idWithPeople(waiverDigits).test(id))
  if (wrong !== undefined) throw new UsageError(`--allow takes the 32 digits (0-9, a-f) that the plan shows after --allow, not "${wrong}"`)
  const by = claimedName(values, terminal)
  return ids.length === 0 ? [] : [{ ids, by, account: ownAccount(), untilMs: Number.POSITIVE_INFINITY, source: '--allow' }]
}

/** The approvals of `--allow`, if the settings take them. @throws {UsageError} if only files approve */
export function requireOpenDoor(waivers: readonly Waiver[], { approvals }: Pick<Settings, 'approvals'>): void {
  const ids = waivers.flatMap((waiver) => waiver.ids)
  if (ids.length === 0 || approvals === 'any') return
  const { sentence, cure } = closedDoor(ids)
  throw new UsageError(`--allow is refused: ${sentence}`, { cure })
}

const shownMax = 5

/**
 * A notice about the ids of `--allow` that approve nothing; empty if there are none, or if a workspace could not be planned. It is no
 * error: a job that is repeated names changes that are written already, and a change that still waits has an exit code of its own.
 */
export function unmatchedText(waivers: readonly Waiver[], { workspaces }: CycleReport): string {
  const judgedPlans = workspaces.flatMap((workspace) => ('judged' in workspace ? [workspace.judged] : []))
  if (judgedPlans.length < workspaces.length) return ''
  const given = [...new Set(waivers.flatMap(({ ids }) => ids))]
  const tooFew = idsForTooFew(given, judgedPlans).slice(0, shownMax)
  return [...tooFew.map(tooFewText), matchlessText(unmatchedIds(given, judgedPlans), judgedPlans, workspaces)].join('')
}

function tooFewText({ given, needs, changes }: TooFew): string {
  const { id, people } = partsOfId(given)
  const why = people === undefined ? 'the number of people is missing' : `they are more than ${people}`
  const isSet = id === bareId(needs)
  const what = isSet
    ? 'what has this ID waits because of its people'
    : `this change waits because of its people, with the ${changes} of its set`
  return `--allow ${given}: ${what}, and ${why}, so it does not pass.\n  To approve ${isSet ? 'it' : 'the whole set'}: --allow ${needs}\n`
}

function matchlessText(ids: readonly string[], judgedPlans: readonly Judged[], workspaces: CycleReport['workspaces']): string {
  if (ids.length === 0) return ''
  const waits = idsThatWait(judgedPlans)
  const [only, ...others] = workspaces
  const places = only === undefined || others.length > 0 ? '' : `of ${visible(only.workspace)} `
  const now =
    waits.length === 0
      ? `nothing ${places}waits for approval`
      : `these IDs approve what waits: ${listedFirst(waits.slice(0, shownMax), waits.length)}`
  const named = listedFirst(ids.slice(0, shownMax), ids.length)
  return `--allow ${named}: no plan, set, change, project or group has this ID${others.length === 0 && only !== undefined ? ` in ${visible(only.workspace)}` : ''}, so it approves nothing. It may be from an earlier plan or of another workspace.\n  Now ${now}\n`
}
