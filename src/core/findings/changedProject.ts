import type { ChangedProject } from '../desired.ts'
import type { Finding } from '../finding.ts'
import type { ProjectChanged } from '../hold.ts'
import { positionText } from '../rule.ts'

/** The sentence about a changed project that the declaration names, and its cure. */
export function changedProjectText({ project, replaced, called, pass }: ProjectChanged): {
  readonly sentence: string
  readonly cure: string
} {
  if (replaced)
    return {
      sentence: `identifier ${project} belongs to another project now; the project that had it ${called === undefined ? 'is gone, or the owner of the credential cannot see it' : `is called ${called}`}`,
      cure: `if the old project is meant, write ${called ?? 'its current identifier'} in the file; if the new one is meant: apply --allow ${pass}`,
    }
  if (called !== undefined)
    return { sentence: `project ${project} is called ${called} now`, cure: `write ${called} instead of ${project} in the file` }
  return {
    sentence: `project ${project} is gone, or the owner of the credential cannot see it any more`,
    cure: 'remove it from the file, or add the owner of the credential to the project',
  }
}

export function changedProjectFinding({ because, reason }: ChangedProject): Finding {
  return { code: 'project-changed', severity: 'warning', place: positionText(because.at), ...changedProjectText(reason) }
}
