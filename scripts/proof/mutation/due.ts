/**
 * Files in which a function with survivors changed since its mutants were tried. A test holds this list against the code; docs/proof.md names it.
 * `npm run mutation -- --changed` measures these files again; then they leave the list.
 */
export const due: readonly string[] = [
  'src/core/diff/diff.ts',
  'src/core/diff/renames.ts',
  'src/core/existing.ts',
  'src/core/findings/missingProjects.ts',
  'src/core/judge/guards.ts',
  'src/core/memory/newNames.ts',
  'src/core/people/peopleEffects.ts',
  'src/core/resolve/claims.ts',
  'src/core/resolve/collectClaims.ts',
  'src/core/resolve/desiredMapping.ts',
  'src/core/resolve/hints.ts',
  'src/core/resolve/resolve.ts',
  'src/core/resolve/unmatched.ts',
  'src/directories/ldap/search.ts',
  'src/render/documentChange.ts',
  'src/render/documentReason.ts',
  'src/render/entry.ts',
  'src/render/groupList.ts',
  'src/render/holdApproval.ts',
  'src/render/savedPlan.ts',
  'src/render/whoText.ts',
]
