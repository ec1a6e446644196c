import type { FindingCode } from './finding.ts'
import type { HoldKind } from './hold.ts'

/** A hold of a mapping that exists, and whose group is in no directory. */
type Dangling = 'dangling'

/** A person who applies the cure although its guess is wrong gives and takes no access by mistake, or sees before it is written that the plan does so. */
const safe = undefined

const lookAtClaim = 'look in the claim of a login which name the group has there'
const lookAtPlan = 'look at the plan with this edit'
const compareRoles = 'compare the roles of the mappings with that of the file'
const whichProject = 'look in Plane which project is meant'
const whichRole = 'look in Plane which role the people of the group have'

/** What a person must do before the cure of a hold or of a finding; `safe` if nothing. Each output says it before the cure. */
const firstDo: Readonly<Record<HoldKind | FindingCode | Dangling, string | typeof safe>> = {
  // Holds.
  groupUnknown: safe,
  dangling: lookAtClaim,
  projectUnknown: safe,
  projectChanged: whichProject,
  perhapsRenamed: whichProject,
  groupChanged: 'look who is in the group of today',
  labelDiffers: 'look who is in the group',
  roleUnmapped: 'make sure that the people of the group should have the role',
  ambiguous: 'look in the claim of a login which group it is',
  conflict: safe,
  outranked: 'ask the owner of the other file',
  contested: 'agree with the owners of these files which one is right',
  unsafeName: safe,
  readingIncomplete: safe,
  notRecorded: safe,
  patternsUnmatched: lookAtPlan,
  clocksDiffer: safe,
  notStarted: safe,
  undeclared: safe,
  policy: safe,
  approval: safe,
  quarantined: safe,
  roleEchoed: whichRole,
  nameEchoed: 'look who is in the group of that mapping',
  requires: safe,
  flapping: safe,
  anotherWriter: compareRoles,
  suspended: safe,
  fileInvalid: safe,
  // Findings.
  'file-invalid': safe,
  'duplicate-mapping': compareRoles,
  'group-renamed': lookAtClaim,
  'names-in-another-form': safe,
  'group-changed': 'look who is in the groups of today',
  'group-several-names': lookAtClaim,
  'group-name-unusable': safe,
  'members-unreadable': safe,
  'people-unread': safe,
  'people-inside': safe,
  'people-at-least': 'make sure that another account does not see them either',
  'glob-crosses-slash': lookAtPlan,
  'lower-in-project': lookAtPlan,
  'project-changed': whichProject,
  'projects-skipped': safe,
  'project-archived': 'ask who may restore the project',
  'project-vanished': 'let an administrator of Plane look for the project',
  'list-left': 'look in git why the list is gone',
  'pattern-unused': safe,
  'except-unused': 'make sure that it is the group that should have no role',
  'pattern-clipped': 'ask who owns the groups outside',
  'removal-not-felt': 'look in Plane who has access that no group gives',
  'sync-without-journal': lookAtPlan,
  'waiver-used': safe,
  'waiver-unmatched': safe,
  'waiver-expired': safe,
  'role-echoed': whichRole,
  'reading-incomplete': safe,
  'no-directories': safe,
  'secret-file-world-readable': safe,
  'journal-entries-ignored': safe,
  'budget-near': safe,
  'another-writer': compareRoles,
  'schedule-too-short': safe,
  'plan-outlasts-interval': safe,
  'clock-differs': safe,
  'clock-stepped': safe,
}

/** What cures call the address: a person without a settings file knows only the variable. */
export const planeAddress = 'the address of Plane (service.baseUrl, or PLANE_BASE_URL)'

/** The text of a cure, with what to do before it. Empty if there is no cure. */
export function cureText(of: keyof typeof firstDo, cure: string): string {
  const first = firstDo[of]
  return first === safe || cure === '' ? cure : `first ${first}; then: ${cure}`
}
