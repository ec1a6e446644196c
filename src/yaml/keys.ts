import { isMap, isScalar, parseDocument } from 'yaml'

/**
 * The keys below one key at the top of a YAML text, as texts. Empty if there are none, and if the text is no valid YAML. No schema is needed, so this is
 * quick enough for a completion.
 */
export function keysBelow(text: string, name: string): readonly string[] {
  const document = parseDocument(text)
  const below = document.errors.length === 0 && isMap(document.contents) ? document.contents.get(name) : undefined
  return isMap(below) ? below.items.flatMap(({ key }) => (isScalar(key) && typeof key.value === 'string' ? [key.value] : [])) : []
}
