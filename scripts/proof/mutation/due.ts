/**
 * Files in which a function with survivors changed since its mutants were tried. A test holds this list against the code; docs/proof.md names it.
 * `npm run mutation -- --changed` measures these files again; then they leave the list.
 */
export const due: readonly string[] = [
  'src/core/diff/diff.ts',
  'src/core/findings/otherWriters.ts',
  'src/core/judge/guards.ts',
  'src/core/judge/limits.ts',
  'src/core/judge/waivers.ts',
  'src/core/memory/lastApplied.ts',
  'src/core/memory/memory.ts',
  'src/core/people/peopleEffects.ts',
  'src/core/policy.ts',
  'src/core/resolve/hints.ts',
  'src/core/resolve/resolve.ts',
  'src/core/safeName.ts',
  'src/cycle/laterSlice.ts',
  'src/cycle/runTally.ts',
  'src/declaration/compileWaivers.ts',
  'src/declaration/insideFence.ts',
  'src/directories/ldap/page.ts',
  'src/plane/rate/fairQueue.ts',
  'src/render/approvable.ts',
  'src/render/approval.ts',
  'src/render/bundle.ts',
  'src/render/entry.ts',
  'src/render/groupList.ts',
  'src/render/json.ts',
  'src/render/lastDocument.ts',
  'src/render/statusEntries.ts',
  'src/render/urgent.ts',
  'src/render/waiverYaml.ts',
]
