import type { FindingCode } from './finding.ts'
import type { HoldKind } from './hold.ts'

/**
 * What comes of the cure of a hold or of a finding that a person applies although its guess is wrong. `safe`: why this gives and takes no access by mistake.
 * `risk`: what it would give or take; then each output says before the cure what to do `first`.
 */
type Cure = { readonly safe: string } | { readonly risk: string; readonly first: string }

/** A hold of a mapping that exists, and whose group is in no directory. */
type Dangling = 'dangling'

const nothing = 'nothing: it changes no rule and no mapping'
const onlyTold = 'only what the outputs say of it changes'
const asWritten = 'the plan shows what it does before it is written'
const stillHeld = 'the mapping waits again, for another reason'

const lookAtClaim = 'look in the claim of a login which name the group has there'
const lookAtPlan = 'look at the plan with this edit'
const compareRoles = 'compare the roles of the mappings with that of the file'

const cures: Readonly<Record<HoldKind | FindingCode | Dangling, Cure>> = {
  // Holds.
  groupUnknown: {
    safe: 'the group that the file then names gets the role; what is said of a similar name is in `core/resolve/hints.ts`',
  },
  dangling: { risk: 'people lose access while logins still send the former name', first: lookAtClaim },
  projectUnknown: { safe: stillHeld },
  projectChanged: { risk: 'people get access to another project, or lose it', first: 'look in Plane which project is meant' },
  perhapsRenamed: { risk: 'people get access to another project', first: 'look in Plane which project is meant' },
  groupChanged: { risk: 'other people get the role', first: 'look who is in the group of today' },
  labelDiffers: { risk: 'other people get the role', first: 'look who is in the group' },
  roleUnmapped: { risk: 'the group gets the role of the map', first: 'make sure that the people of the group should have the role' },
  ambiguous: {
    risk: 'people of the renamed group lose all that its name gave them',
    first: 'look in the claim of a login which group it is',
  },
  conflict: { safe: asWritten },
  outranked: { risk: 'what the other file says is written', first: 'ask the owner of the other file' },
  contested: { risk: 'what the other file says is written', first: 'ask the owner of the other file' },
  unsafeName: { safe: 'no mapping has this name, so no person loses access in Plane' },
  readingIncomplete: { safe: nothing },
  patternsUnmatched: { risk: 'groups that a pattern no longer matches become undeclared', first: lookAtPlan },
  clocksDiffer: { safe: nothing },
  notStarted: { safe: nothing },
  undeclared: { safe: asWritten },
  policy: { safe: asWritten },
  approval: { safe: 'only the changes that the text names are written' },
  quarantined: { safe: 'a mapping exists twice, and the finding duplicate-mapping says so' },
  roleEchoed: {
    risk: 'a higher role than the declared one stays unseen',
    first: 'look in Plane which role the people of the group have',
  },
  nameEchoed: { risk: 'people of the other group lose access', first: 'look who is in the group of that mapping' },
  requires: { safe: nothing },
  flapping: { safe: nothing },
  anotherWriter: { risk: 'the mapping with the right role is deleted', first: compareRoles },
  suspended: { safe: asWritten },
  fileInvalid: { safe: asWritten },
  // Findings.
  'file-invalid': { safe: asWritten },
  'duplicate-mapping': { risk: 'the mapping with the right role is deleted', first: compareRoles },
  'group-renamed': { risk: 'people lose access while logins still send the former name', first: lookAtClaim },
  'names-in-another-form': { safe: 'the names come as before' },
  'group-changed': { risk: 'other people get the role', first: 'look who is in the groups of today' },
  'group-several-names': { risk: 'people lose access by the name that is removed', first: lookAtClaim },
  'group-name-unusable': { safe: 'rules for these names are held as before' },
  'members-unreadable': { safe: onlyTold },
  'people-unread': { safe: onlyTold },
  'people-inside': { safe: onlyTold },
  'people-at-least': {
    risk: 'people whom this account does not see lose their groups',
    first: 'make sure that another account does not see them either',
  },
  'glob-crosses-slash': { risk: 'groups below become undeclared', first: lookAtPlan },
  'lower-in-project': { risk: 'people lose access in the other projects', first: lookAtPlan },
  'project-changed': { risk: 'people get access to another project, or lose it', first: 'look in Plane which project is meant' },
  'projects-skipped': { safe: onlyTold },
  'project-archived': { risk: 'no group has access when the project is restored', first: 'ask who may restore the project' },
  'project-vanished': { risk: 'people lose access to a hidden project', first: 'let an administrator of Plane look for the project' },
  'list-left': { risk: 'all mappings of the list are deleted', first: 'look in git why the list is gone' },
  'pattern-unused': { safe: asWritten },
  'except-unused': {
    risk: 'the group that is left out loses its role',
    first: 'make sure that it is the group that should have no role',
  },
  'pattern-clipped': { risk: 'the owner of the fence may give roles to more groups', first: 'ask who owns the groups outside' },
  'removal-not-felt': { risk: 'people who have access by hand lose it', first: 'look in Plane who has access that no group gives' },
  'sync-without-journal': { risk: 'the policy exclusive deletes mappings of others', first: lookAtPlan },
  'waiver-used': { safe: nothing },
  'waiver-unmatched': { safe: 'the change waits again' },
  'waiver-expired': { safe: 'the change waits again' },
  'role-echoed': {
    risk: 'a higher role than the declared one stays unseen',
    first: 'look in Plane which role the people of the group have',
  },
  'reading-incomplete': { safe: nothing },
  'no-directories': { safe: onlyTold },
  'secret-file-world-readable': { safe: nothing },
  'journal-entries-ignored': { safe: nothing },
  'budget-near': { safe: nothing },
  'another-writer': { risk: 'the mapping with the right role is deleted', first: compareRoles },
  'schedule-too-short': { safe: nothing },
  'plan-outlasts-interval': { safe: nothing },
  'clock-differs': { safe: nothing },
  'clock-stepped': { safe: nothing },
  'schedule-clock-change': { safe: nothing },
}

/** The text of a cure, with what to do before it. Empty if there is no cure. */
export function cureText(of: keyof typeof cures, cure: string): string {
  const row = cures[of]
  return 'safe' in row || cure === '' ? cure : `first ${row.first}; then: ${cure}`
}
