import { childrenOf, isNode, type Node, type Point, parsed, type Range, withoutType } from './tree.ts'

/**
 * The functions of a source file by name. A function without a name belongs to the nearest named function around it. Code outside of functions
 * belongs to its constant or class at the top level, or to `module`. Functions of one name in one file count as one.
 */
export type Functions = {
  readonly nameAt: (range: Range) => string
  readonly names: ReadonlySet<string>
}

export function functionsOf(source: string): Functions {
  const all = namedBelow(parsed(source), true)
  return {
    // The functions are sorted from the outside to the inside, so the last one is the nearest.
    nameAt: (range) => all.findLast(({ node }) => isWithin(range, node.loc))?.name ?? 'module',
    names: new Set(all.map(({ name }) => name)),
  }
}

type Named = { readonly name: string; readonly node: Node }

function namedBelow(node: Node, isTop: boolean): readonly Named[] {
  const name = nameOf(node, isTop)
  const isStillTop = isTop && /^(?:Program|Export|VariableDeclaration$)/.test(node.type)
  const below = childrenOf(node).flatMap((child) => namedBelow(child, isStillTop))
  return name === undefined ? below : [{ name, node }, ...below]
}

/** The name of a node that is a function, or a constant or class at the top level. */
function nameOf(node: Node, isTop: boolean): string | undefined {
  switch (node.type) {
    case 'Program':
      return 'module'
    case 'FunctionDeclaration':
    case 'FunctionExpression':
      return textOf(node['id'])
    case 'ClassDeclaration':
      return isTop ? textOf(node['id']) : undefined
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'ClassPrivateMethod':
      return textOf(node['key'])
    case 'ObjectProperty':
    case 'ClassProperty':
    case 'ClassPrivateProperty':
      return isFunction(node['value']) ? textOf(node['key']) : undefined
    case 'VariableDeclarator':
      return isTop || isFunction(node['init']) ? textOf(node['id']) : undefined
    default:
      return undefined
  }
}

/** `name`, `'name'` and `#name`. */
function textOf(key: unknown): string | undefined {
  if (!isNode(key)) return undefined
  const text = key.type === 'PrivateName' ? textOf(key['id']) : (key.name ?? key['value'])
  return typeof text === 'string' ? text : undefined
}

function isFunction(value: unknown): boolean {
  return isNode(value) && /^(?:ArrowFunction|Function)Expression$/.test(withoutType(value).type)
}

const isWithin = (inner: Range, outer: Range): boolean => !isBefore(inner.start, outer.start) && !isBefore(outer.end, inner.end)
const isBefore = (a: Point, b: Point): boolean => a.line < b.line || (a.line === b.line && a.column < b.column)
