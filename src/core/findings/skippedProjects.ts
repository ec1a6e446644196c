import type { SkippedProjects } from '../desired.ts'
import type { Finding } from '../finding.ts'
import { counted, listedFirst } from '../quantity.ts'
import { positionText } from '../rule.ts'

const shownMax = 10

/** The projects that a rule with `unknownProjects: skip` leaves out. */
export const skippedProjectsFinding = ({ because, projects, mappings }: SkippedProjects): Finding => ({
  code: 'projects-skipped',
  severity: 'info',
  place: positionText(because.at),
  sentence: `unknownProjects: skip leaves out ${counted(mappings, 'mapping')} in ${counted(projects.length, 'project')} that Plane has never shown: ${listedFirst(projects.slice(0, shownMax), projects.length)}`,
  cure: 'if one of these projects exists, add the owner of the credential to it, or write its identifier in the map of the rule',
})
