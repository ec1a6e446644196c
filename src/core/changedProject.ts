import type { Finding } from './finding.ts'
import type { ProjectChanged } from './projects.ts'
import type { ChangedProject } from './projectTexts.ts'
import { positionText } from './rule.ts'

/** What happened to a project that a text of the declaration meant, and what to do. */
export function changedProjectText({ project, replaced, called, pass }: ProjectChanged): {
  readonly sentence: string
  readonly cure: string
} {
  if (replaced)
    return {
      sentence: `${project} is another project now; the one that was meant ${called === undefined ? 'is gone or hidden from the key' : `is called ${called}`}`,
      cure: `correct the project in the file; or, if the project of today is meant: --allow ${pass}`,
    }
  if (called !== undefined)
    return {
      sentence: `project ${project} is called ${called} now`,
      cure: `follow it in the file: project: ${called}; or forget which project was meant: --allow ${pass}`,
    }
  return {
    sentence: `project ${project} is gone, or the key's owner cannot see it any more`,
    cure: `remove it from the file, or let the key's owner into the project; or forget which project was meant: --allow ${pass}`,
  }
}

export function changedProjectFinding({ because, reason }: ChangedProject): Finding {
  return { code: 'project-changed', severity: 'warning', place: positionText(because.at), ...changedProjectText(reason) }
}
