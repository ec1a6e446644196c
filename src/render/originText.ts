import { counted, durationText, listed, momentText } from '../core/quantity.ts'
import { oneLine } from '../core/safeName.ts'
import { capital } from './nextStep.ts'
import { onlyOwnerText } from './ofOwner.ts'
import type { BaseView, FailedView, View } from './view.ts'

/** What plans are made from, and of what they show only a part. Empty if they are whole, and made from what Plane and the directories have now. */
export function originTexts(views: readonly (View | FailedView)[]): readonly string[] {
  const owner = views.map((view) => ('failed' in view ? undefined : view.owner)).find((one) => one !== undefined)
  const recorded = recordedText(views)
  return [...(recorded === undefined ? [] : [capital(recorded)]), ...(owner === undefined ? [] : [onlyOwnerText(owner)])]
}

/** Whether the plans are not what a reader expects of them: other settings count than those of the branch, the base is not the present one, or rows are left out. */
export function isUnusual(views: readonly (View | FailedView)[]): boolean {
  const { differs = [], base } = recordedOf(views) ?? {}
  const isPart = views.some((view) => !('failed' in view) && view.owner !== undefined)
  return isPart || differs.length > 0 || (base !== undefined && (base.invalid || base.behind > 0))
}

const recordedOf = (views: readonly (View | FailedView)[]) =>
  views.map((view) => ('failed' in view ? undefined : view.recorded)).find((one) => one !== undefined)

/** What the plans are made from, if not from what Plane and the directories have now; undefined if they are. */
function recordedText(views: readonly (View | FailedView)[]): string | undefined {
  const recorded = recordedOf(views)
  if (recorded === undefined) return undefined
  const { takenMs, ageMs, differs, base, planMs } = recorded
  const from = `${base === undefined ? '' : `${baseText(base)}; `}${planMs === undefined ? '' : `as on ${momentText(planMs)}, `}from a recording of ${momentText(takenMs)} (${durationText(ageMs)} ago)`
  if (differs === 'invalid') return `${from}, with its settings; those of this folder are invalid, which does not count here`
  if (differs.length === 0) return from
  return `${from}, with its settings; those of this folder differ in ${listed(differs.map((name) => oneLine(name, 100)))}, which does not count here`
}

function baseText({ name, behind, invalid }: BaseView): string {
  if (invalid) return `the files of the base ${oneLine(name, 100)} are invalid, so this is the whole plan`
  const missing = behind === 0 ? '' : `, of which it lacks ${counted(behind, 'commit')}`
  return `what this change does beside ${oneLine(name, 100)}${missing}`
}
