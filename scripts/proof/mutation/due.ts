/**
 * Files in which a function with survivors changed since its mutants were tried. A test holds this list against the code; docs/proof.md names it.
 * `npm run mutation -- --changed` measures these files again; then they leave the list.
 */
export const due: readonly string[] = [
  'src/core/resolve/hints.ts',
  'src/core/safeName.ts',
  'src/declaration/insideFence.ts',
  'src/directories/ldap/page.ts',
  'src/render/approvable.ts',
  'src/render/bundle.ts',
  'src/render/entry.ts',
  'src/render/groupList.ts',
  'src/render/json.ts',
  'src/render/lastDocument.ts',
  'src/render/statusEntries.ts',
  'src/render/urgent.ts',
]
