/**
 * Files in which a function with survivors changed since its mutants were tried. A test holds this list against the code; docs/proof.md names it.
 * `npm run mutation -- --changed` measures these files again; then they leave the list.
 */
export const due: readonly string[] = [
  'src/core/diff/diff.ts',
  'src/core/existing.ts',
  'src/core/findings/anotherWriter.ts',
  'src/core/findings/notices.ts',
  'src/core/memory/lastApplied.ts',
  'src/core/resolve/claims.ts',
  'src/core/resolve/desiredMapping.ts',
  'src/core/resolve/projects.ts',
  'src/core/resolve/resolve.ts',
  'src/directories/ldap/members.ts',
  'src/directories/ldap/search.ts',
  'src/directories/ldap/values.ts',
  'src/plane/rate/budgetState.ts',
  'src/plane/rate/rateHeaders.ts',
  'src/render/savedPlan.ts',
]
