/**
 * Why a mutant that no test notices is left alone: mostly since it makes no difference that anybody could see. By file; `code` is the line,
 * `mutants` are as the report names them. `npm run mutation` fails where one is missing, or no longer needed.
 */
export type Reason = { readonly code: string; readonly mutants: readonly string[]; readonly reason: string }

export const reasons: Readonly<Record<string, readonly Reason[]>> = {
  'src/core/anotherWriter.ts': [
    {
      code: 'const all = [...changes, ...waiting.flatMap(({ change }) => change ?? [])]',
      mutants: ['[] → ["Stryker was here"]'],
      reason: 'what stands in the place of no change was never written, so it has not come back',
    },
    {
      code: 'return times.length >= roundsMin || (lastAt(memory.written, key)?.shownFromMs ?? 0) <= readAtMs',
      mutants: ['lastAt(memory.written, key)?.shownFromMs → lastAt(memory.written, key).shownFromMs'],
      reason: 'where there are times, they come from the last write at the key; the compiler does not know that',
    },
    {
      code: "case 'settings':",
      mutants: ["case 'settings': return 'changed' → case 'settings':", '\'settings\' → ""'],
      reason: 'nobody is said to have undone settings (`written.ts`); the compiler wants an answer all the same',
    },
    {
      code: "return 'changed'",
      mutants: ['\'changed\' → ""'],
      reason: 'the same',
    },
  ],
  'src/core/byKey.ts': [
    {
      code: 'const several = last.size === all.length ? new Map<Key, Mapping[]>() : duplicates(all)',
      mutants: ['last.size === all.length → false'],
      reason: 'only time: among mappings without duplicates none are found',
    },
  ],
  'src/core/claims.ts': [
    {
      code: 'if (all.length === 1) return (all[0] as Claim).wish',
      mutants: ['all.length === 1 → false'],
      reason: 'only time: one claim settles to its own wish, and nearly every key has one',
    },
  ],
  'src/core/diff.ts': [
    {
      code: 'unmade: [],',
      mutants: ['[] → ["Stryker was here"]'],
      reason: 'what is put in is a mapping of no group, for which nothing waits',
    },
    {
      code: "if (wish.want === 'role' && draft.byKey.only(key)?.role === wish.role && owns.has(listOf(wish.target))) {",
      mutants: [
        "wish.want === 'role' && draft.byKey.only(key)?.role === wish.role && owns.has(listOf(wish.target)) → false",
        '\'role\' → ""',
      ],
      reason: 'only time: `wished` comes to the same for what is as it should be',
    },
    {
      code: 'draft.met++',
      mutants: ['draft.met++ → draft.met--'],
      reason: 'only time: the keys are counted to know that none is undeclared; a wrong sum means that each is looked at',
    },
    {
      code: 'for (const [list, mappings] of draft.met === draft.byKey.keys ? [] : managed) {',
      mutants: ['draft.met === draft.byKey.keys → false', '[] → ["Stryker was here"]'],
      reason: 'only time: where every key was asked for, none is undeclared; and a list of another name is not owned',
    },
    {
      code: 'if (here.length > 0) draft.met++',
      mutants: ['here.length > 0 → false', 'draft.met++ → draft.met--'],
      reason: 'only time, as above',
    },
  ],
  'src/core/drawers.ts': [
    {
      code: 'for (let index = 0; index < name.length; index++) hash = (hash * 31 + name.charCodeAt(index)) | 0',
      mutants: ['hash * 31 + name.charCodeAt(index) → hash * 31 - name.charCodeAt(index)'],
      reason: 'another hash that spreads as well',
    },
  ],
  'src/core/existing.ts': [
    {
      code: 'unmanaged.length === 0 ? seen : seen.filter(({ group, target }) => !isUnmanaged(unmanaged, group, target))',
      mutants: ['unmanaged.length === 0 → false'],
      reason: 'only time: where nothing is said, nothing is unmanaged',
    },
  ],
  'src/core/order.ts': [
    {
      code: 'const swapped = only !== undefined && more.length === 0 && deletesAt.get(at)?.length === 1 ? [only] : []',
      mutants: ['deletesAt.get(at)?.length → deletesAt.get(at).length'],
      reason: 'at the place of a delete there is that delete; the compiler does not know that',
    },
  ],
}
