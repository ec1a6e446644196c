import { type Mapping, presentRole, type WorkspaceName } from '../core/mapping.ts'
import { isProtected, type RoleSettings } from '../core/roles.ts'
import { visible } from '../core/safeName.ts'
import { document, entryTargetWords, isNameable, keysInOrder, keyText, scalar } from './print.ts'

/**
 * Prints mappings as a declaration that deletes them: an entry of `removed` for each key, in a line of its own with the roles that end, protected ones
 * first. A key becomes a comment if a declaration cannot contain its names. Equal mappings give equal text.
 */
export function printRemoved(workspace: WorkspaceName, mappings: readonly Mapping[], roles: RoleSettings): string {
  const isGrant = ({ role, target }: Mapping) => role !== null && isProtected(role, target, roles)
  const lines = keysInOrder(mappings)
    .map((ofKey) => ({ ofKey, protects: ofKey.some(isGrant) }))
    .toSorted((a, b) => Number(b.protects) - Number(a.protects))
    .flatMap(({ ofKey, protects }) => line(ofKey, protects))
  const entries = lines.filter((text) => text.trimStart().startsWith('-'))
  return document(workspace, entries.length === 0 ? lines : ['    removed:', ...lines])
}

function line(ofKey: readonly Mapping[], protects: boolean): readonly string[] {
  const [first] = ofKey
  if (first === undefined) return []
  const named = [...new Set(ofKey.map(({ role }) => role))].map((role) => visible(presentRole(role))).join(', ')
  const roles = protects ? `${named}, protected` : named
  if (!isNameable(first)) return [`      # ${keyText(first)} = ${roles}: a declaration cannot contain this name; delete it in Plane`]
  const words = [`group: ${scalar(first.group)}`, ...entryTargetWords(first.target)]
  return [`      - { ${words.join(', ')} } # ${roles}`]
}
