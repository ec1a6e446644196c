import { isMap, isScalar, parseDocument } from 'yaml'

/** The keys below `workspaces` in a YAML text. Empty if there are none, and if the text is no valid YAML. No schema is needed, so a completion is quick. */
export function workspacesIn(text: string): readonly string[] {
  const document = parseDocument(text)
  const below = document.errors.length === 0 && isMap(document.contents) ? document.contents.get('workspaces') : undefined
  return isMap(below) ? below.items.flatMap(({ key }) => (isScalar(key) && typeof key.value === 'string' ? [key.value] : [])) : []
}
