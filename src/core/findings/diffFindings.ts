import { listText } from '../existing.ts'
import type { Finding } from '../finding.ts'
import { type Key, type List, type Mapping, type ProjectIndex, presentRole, type Role, targetText, type WorkspaceName } from '../mapping.ts'
import { defined } from '../optionalFields.ts'
import { counted } from '../quantity.ts'
import { type Reading, whyIncomplete } from '../reading.ts'

/** The service gives a person the highest of all matching roles, so a second mapping with a higher one is a leak. */
export function duplicateFinding(key: Key, mappings: readonly Mapping[], areDeleted: boolean): Finding {
  const roles = mappings.map(({ role }) => presentRole(role)).join(', ')
  return {
    code: 'duplicate-mapping',
    severity: 'warning',
    place: key,
    sentence: `${counted(mappings.length, 'mapping')} give this group a role on ${targetText((mappings[0] as Mapping).target)} (${roles}); the highest counts`,
    ...(areDeleted ? {} : { cure: 'delete the extra ones in Plane' }),
  }
}

export const syncWithoutJournal = (workspace: WorkspaceName): Finding => ({
  code: 'sync-without-journal',
  severity: 'warning',
  place: workspace,
  sentence:
    'policy sync deletes only mappings that the journal shows to be ours, and there is no journal: it deletes nothing that only a missing line leaves',
  cure: 'set journal: { folder: … }; or say what you mean: policy: upsert-only keeps them, policy: exclusive deletes all undeclared mappings',
})

/** One finding for all mappings with these two roles: a plan has each finding once. */
export function echoFinding(workspace: WorkspaceName, sent: Role, echoed: Role): Finding {
  return {
    code: 'role-echoed',
    severity: 'warning',
    place: workspace,
    sentence: `the service answers "${echoed}" where "${sent}" was sent`,
    cure: `if the two are one role, say so in the settings: roles.aliases: { ${sent}: ${echoed} }`,
  }
}

export function incompleteFinding(
  workspace: WorkspaceName,
  list: List,
  reading: Reading<readonly Mapping[]> | undefined,
): readonly Finding[] {
  if (reading?.status !== 'partial') return []
  const sentence = `${listText(list)} were not read whole (${reading.missing}); nothing is created in them or deleted from them`
  return [defined({ code: 'reading-incomplete' as const, severity: 'warning' as const, place: workspace, sentence, cure: reading.cure })]
}

/**
 * A list of projects that is not complete. Mappings in projects that existing mappings name are written without it, so holds alone do not show that
 * it is missing.
 *
 * @param reading undefined if no text of the declaration names a project, so that the list was not asked for
 */
export function projectsFinding(workspace: WorkspaceName, reading: Reading<ProjectIndex> | undefined): readonly Finding[] {
  if (reading === undefined || reading.status === 'complete') return []
  const how = reading.status === 'failed' ? 'could not be read' : 'could not be read whole'
  const cure = "see Plane's log, and check that the credential may read projects; the next cycle reads the list again"
  return [
    {
      code: 'reading-incomplete',
      severity: 'warning',
      place: workspace,
      sentence: `the list of projects ${how}, so this program does not know whether all identifiers still name the same projects, and changes that need the list wait: ${whyIncomplete(reading)}`,
      cure: (reading.status === 'failed' ? reading.cure : undefined) ?? cure,
    },
  ]
}
