import { listsInScope } from '../existing.ts'
import type { Finding } from '../finding.ts'
import { type List, lists } from '../mapping.ts'
import { counted } from '../quantity.ts'
import type { WorkspaceDeclaration } from '../rule.ts'

/**
 * A finding for each list that had mappings when it was last read, and that no file declares any more. Such a list is not read, so nothing else of the
 * plan shows that its mappings are no longer managed.
 *
 * @param sizeOf the mappings of a list when it was last read whole, by the memory; undefined if it never was
 */
export function leftListFindings(declared: WorkspaceDeclaration, sizeOf: (list: List) => number | undefined): readonly Finding[] {
  const inScope = listsInScope(declared)
  return lists.flatMap((list): readonly Finding[] => {
    const size = inScope.has(list) ? 0 : (sizeOf(list) ?? 0)
    if (size === 0) return []
    const sentence = `no file declares ${list} of this workspace any more; ${counted(size, 'mapping')} that it had ${size === 1 ? 'stays as it is, and is' : 'stay as they are, and are'} not compared any more`
    const cure = `to delete them, declare ${list}: [] with the policy sync; to keep them managed, declare their rules again`
    return [{ code: 'list-left', severity: 'warning', place: declared.workspace, sentence, cure }]
  })
}
