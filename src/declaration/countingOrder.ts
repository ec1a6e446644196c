import { by, compare } from '../core/compare.ts'
import type { OwnerOf } from './fenceOwner.ts'
import type { DeclarationFileBytes, LastValidFiles } from './files.ts'

/**
 * The order in which files count towards the limits that all files share. First count the files that are as they were when the declaration was last valid,
 * then changed files without limits, then changed files of owners, those of the owner with the fewest bytes first. So the declaration exceeds a limit at a
 * changed file, if there is one, and at a file without limits only if no owner changed a file.
 */
export function inCountingOrder(
  files: readonly DeclarationFileBytes[],
  ownerOf: OwnerOf,
  lastValid: LastValidFiles | undefined,
): readonly DeclarationFileBytes[] {
  const bytesOf = new Map<string, number>()
  const counted = files.map((one) => {
    const owner = ownerOf(one.file)
    const rank = isSame(one.bytes, lastValid?.get(one.file)) ? 0 : owner === undefined ? 1 : 2
    if (owner !== undefined && rank === 2) bytesOf.set(owner, (bytesOf.get(owner) ?? 0) + one.bytes.length)
    return { one, owner: owner ?? '', rank }
  })
  const weight = ({ owner, rank }: (typeof counted)[number]) => (rank === 2 ? (bytesOf.get(owner) ?? 0) : 0)
  return counted
    .toSorted(by(({ one }) => one.file))
    .toSorted((a, b) => a.rank - b.rank || weight(a) - weight(b) || (a.rank === 2 ? compare(a.owner, b.owner) : 0))
    .map(({ one }) => one)
}

const isSame = (now: Uint8Array, before: Uint8Array | undefined): boolean =>
  before !== undefined && now.length === before.length && Buffer.compare(now, before) === 0
