import { createHash } from 'node:crypto'
import { type Scope, scopeBelow, scopeOf } from './scope.ts'
import { fieldsOf, isNode, type Node, withoutType } from './tree.ts'

/**
 * The shape of a part of the source: a hash, and a number for each property in it. New names of variables and properties, moved lines, comments,
 * types and changed words in a message do not change the shape. Another operator, value, statement or order changes it. A variable counts as a
 * number: that of its first appearance in its scope. A name of the language counts as itself.
 *
 * @param hasOwnShape true for a node that has a shape of its own; in the part around it only its place counts
 */
export function shapeOf(root: Node, hasOwnShape: (node: Node) => boolean): string {
  const properties = new Map<string, number>()
  const appearances: string[] = []
  let variables = 0
  const textOf = (value: unknown, role: Role, scope: Scope): string => {
    if (Array.isArray(value)) return `[${value.map((one) => textOf(one, 'variable', scope)).join()}]`
    if (!isNode(value)) return JSON.stringify(value)
    const node = withoutType(value)
    if (node !== root && hasOwnShape(node)) return 'own shape'
    if (/^(?:TS|Import[A-Z])/.test(node.type)) return ''
    if (isSentence(node)) return 'sentence'
    if (node.type === 'Identifier') return nameText(String(node.name), role, scope)
    const below = scopeBelow(node, scope)
    const fields = fieldsOf(node).map(([field, child]) => `${field}=${textOf(child, roleOf(node, role, field), below)}`)
    return `${node.type}(${fields.join()})`
  }
  function nameText(name: string, role: Role, scope: Scope): string {
    const isVariable = role === 'variable' || role === 'called'
    if (role === 'ofGlobal' || (role === 'method' && methods.has(name)) || (isVariable && isGlobal(name))) return name
    if (!isVariable) {
      appearances.push(`.${properties.getOrInsert(name, properties.size)}`)
      return '.'
    }
    const { numbers } = scopeOf(name, scope)
    const number = numbers.get(name) ?? variables++
    numbers.set(name, number)
    return `$${number}`
  }
  const text = textOf(root, 'variable', { numbers: new Map() })
  return [createHash('sha256').update(text).digest('hex').slice(0, 12), ...appearances].join(' ')
}

/** Whether two shapes differ only in names. Two properties may get the same new name. All uses of one property must get the same new name. */
export function isSameShape(before: string, after: string): boolean {
  const [old, now] = [before.split(' '), after.split(' ')]
  const newNames = new Map<string, string>()
  const isRenamed = (name: string, newName: string) => newNames.getOrInsert(name, newName) === newName
  return (
    old.length === now.length &&
    old.every((part, index) => (part.startsWith('.') ? isRenamed(part, now[index] ?? '') : part === now[index]))
  )
}

/** Whether a node is a text for people: it has two words or more. */
const isSentence = (node: Node): boolean =>
  (node.type === 'StringLiteral' || node.type === 'TemplateElement') && /\p{L} \p{L}/u.test(JSON.stringify(node['value']))

/**
 * The role of a node in its parent. `called`: the whole callee, `f` in `f()` and `a.f` in `a.f()`. `method`: only the name `f` in `a.f()`.
 * `ofGlobal`: `max` in `Math.max`.
 */
type Role = 'variable' | 'property' | 'called' | 'method' | 'ofGlobal'

function roleOf(parent: Node, roleOfParent: Role, field: string): Role {
  if (field === 'callee') return 'called'
  if ((field !== 'property' && field !== 'key') || parent['computed'] === true) return 'variable'
  const { object } = parent
  if (isNode(object) && object.type === 'Identifier' && isGlobal(String(object.name))) return 'ofGlobal'
  return roleOfParent === 'called' ? 'method' : 'property'
}

/** Whether a name is global, such as `Math`, `Map`, `undefined`. Lower-case names such as `name` do not count: variables have them, too. */
const isGlobal = (name: string): boolean => name === 'undefined' || (/^[A-Z]/.test(name) && name in globalThis)

/** Names of the methods of the language's own values. They count as themselves, so `some` instead of `every` is a change. */
const methods: ReadonlySet<string> = new Set(
  [Array, Date, Function, Iterator, Map, Number, Object, Promise, RegExp, Set, String].flatMap((type) =>
    Object.getOwnPropertyNames(type.prototype),
  ),
)
