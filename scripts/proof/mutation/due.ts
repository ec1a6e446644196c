/**
 * Files in which a function with survivors changed since its mutants were tried. A test holds this list against the code; docs/proof.md names it.
 * `npm run mutation -- --changed` measures these files again; then they leave the list.
 */
export const due: readonly string[] = [
  'src/core/diff/diff.ts',
  'src/core/findings/missingProjects.ts',
  'src/core/findings/notices.ts',
  'src/core/findings/otherWriters.ts',
  'src/core/findings/removalNotFelt.ts',
  'src/core/judge/guards.ts',
  'src/core/memory/memory.ts',
  'src/core/memory/shardedMap.ts',
  'src/core/nearest.ts',
  'src/core/plan.ts',
  'src/core/resolve/collectClaims.ts',
  'src/core/resolve/hints.ts',
  'src/core/resolve/resolve.ts',
  'src/core/resolve/settle.ts',
  'src/core/safeName.ts',
  'src/cycle/runTally.ts',
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
