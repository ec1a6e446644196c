import { createHash } from 'node:crypto'
import { fieldsOf, isNode, type Node, withoutType } from './tree.ts'

/**
 * A hash of what a part of the source does. New names of variables and properties, moved lines, comments, types and other words in a sentence
 * leave it as it is; another operator, value, statement or order changes it. A name counts as the number of its first appearance, a name of
 * the language as itself.
 *
 * @param hasOwnShape true for a node that counts by itself; in the part around it only its place counts
 */
export function shapeOf(root: Node, hasOwnShape: (node: Node) => boolean): string {
  // Two tables: `{ name }` becomes `{ name: other }` when only the variable gets another name.
  const [variables, properties] = [new Map<string, number>(), new Map<string, number>()]
  const textOf = (value: unknown, role: Role): string => {
    if (Array.isArray(value)) return `[${value.map((one) => textOf(one, 'variable')).join()}]`
    if (!isNode(value)) return JSON.stringify(value)
    const node = withoutType(value)
    if (node !== root && hasOwnShape(node)) return 'own shape'
    if (/^(?:TS|Import[A-Z])/.test(node.type)) return ''
    if (isSentence(node)) return 'sentence'
    if (node.type === 'Identifier') return nameText(String(node.name), role)
    const fields = fieldsOf(node).map(([field, child]) => `${field}=${textOf(child, roleOf(node, role, field))}`)
    return `${node.type}(${fields.join()})`
  }
  const nameText = (name: string, role: Role): string => {
    const isVariable = role === 'variable' || role === 'called'
    if (role === 'ofGlobal' || (role === 'method' && methods.has(name)) || (isVariable && isGlobal(name))) return name
    const names = isVariable ? variables : properties
    return `${isVariable ? '$' : '.'}${names.getOrInsert(name, names.size)}`
  }
  return createHash('sha256').update(textOf(root, 'variable')).digest('hex').slice(0, 12)
}

/** A text for people: two words or more. */
const isSentence = (node: Node): boolean =>
  (node.type === 'StringLiteral' || node.type === 'TemplateElement') && /\p{L} \p{L}/u.test(JSON.stringify(node['value']))

/** What a node is to the one above it. `called`: `f` and `a.f` of `f()` and `a.f()`; `method`: `f` of `a.f()`; `ofGlobal`: `max` of `Math.max`. */
type Role = 'variable' | 'property' | 'called' | 'method' | 'ofGlobal'

function roleOf(parent: Node, roleOfParent: Role, field: string): Role {
  if (field === 'callee') return 'called'
  if ((field !== 'property' && field !== 'key') || parent['computed'] === true) return 'variable'
  const { object } = parent
  if (isNode(object) && object.type === 'Identifier' && isGlobal(String(object.name))) return 'ofGlobal'
  return roleOfParent === 'called' ? 'method' : 'property'
}

/** `Math`, `Map`, `undefined`; no lower-case name that a variable may have, too, such as `name`. */
const isGlobal = (name: string): boolean => name === 'undefined' || (/^[A-Z]/.test(name) && name in globalThis)

/** Names of the methods that the language's own values have: `some` must not pass for `every` under another name. */
const methods: ReadonlySet<string> = new Set(
  [Array, Date, Function, Iterator, Map, Number, Object, Promise, RegExp, Set, String].flatMap((type) =>
    Object.getOwnPropertyNames(type.prototype),
  ),
)
