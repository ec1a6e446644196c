/**
 * Files in which a function with survivors changed since its mutants were tried. A test holds this list against the code; docs/proof.md names it.
 * `npm run mutation -- --changed` measures these files again; then they leave the list.
 */
export const due: readonly string[] = [
  'src/core/dates.ts',
  'src/core/diff/diff.ts',
  'src/core/diff/order.ts',
  'src/core/existing.ts',
  'src/core/findings/expiresSoon.ts',
  'src/core/findings/removalNotFelt.ts',
  'src/core/findings/twins.ts',
  'src/core/nearest.ts',
  'src/core/resolve/claims.ts',
  'src/core/resolve/collectClaims.ts',
  'src/core/resolve/desiredMapping.ts',
  'src/core/resolve/settle.ts',
  'src/core/safeName.ts',
  'src/directories/ldap/search.ts',
  'src/plane/write.ts',
]
