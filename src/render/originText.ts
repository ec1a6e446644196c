import { capital } from './nextStep.ts'
import { onlyOwnerText } from './ofOwner.ts'
import { recordedText } from './recorded.ts'
import type { FailedView, View } from './view.ts'

/** What plans are made from, and of what they show only a part. Empty if they are whole, and made from what Plane and the directories have now. */
export function originTexts(views: readonly (View | FailedView)[]): readonly string[] {
  const owner = views.map((view) => ('failed' in view ? undefined : view.owner)).find((one) => one !== undefined)
  const recorded = recordedText(views)
  return [...(recorded === undefined ? [] : [capital(recorded)]), ...(owner === undefined ? [] : [onlyOwnerText(owner)])]
}
