import { isNode, type Node } from './tree.ts'

/** The variables that a part of the source declares, and the scope around it. A variable gets a number when it first appears. */
export type Scope = { readonly numbers: Map<string, number | undefined>; readonly outer?: Scope }

/** The scope below a node: its own if it declares variables, else the one around it. */
export function scopeBelow(node: Node, outer: Scope): Scope {
  const names = declaredFor(node)
  return names.length === 0 ? outer : { numbers: new Map(names.map((name) => [name, undefined])), outer }
}

/** The nearest scope that declares a variable; the outermost one for a variable of another part of the source. */
export const scopeOf = (name: string, scope: Scope): Scope =>
  scope.numbers.has(name) || scope.outer === undefined ? scope : scopeOf(name, scope.outer)

/** The variables that exist only below this node. */
function declaredFor(node: Node): readonly string[] {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'ClassPrivateMethod':
      return boundBy(node['params'])
    case 'Program':
    case 'BlockStatement':
      return declaredBy(node['body'])
    case 'SwitchStatement':
      return nodesIn(node['cases']).flatMap((one) => declaredBy(one['consequent']))
    case 'ForStatement':
      return declaredBy(node['init'])
    case 'ForOfStatement':
    case 'ForInStatement':
      return declaredBy(node['left'])
    case 'CatchClause':
      return boundBy(node['param'])
    default:
      return []
  }
}

const nodesIn = (value: unknown): readonly Node[] => [value].flat().filter(isNode)

/** The variables of declarations among these statements. */
const declaredBy = (statements: unknown): readonly string[] =>
  nodesIn(statements).flatMap((one) => {
    switch (one.type) {
      case 'VariableDeclaration':
        return nodesIn(one['declarations']).flatMap(({ id }) => boundBy(id))
      case 'FunctionDeclaration':
      case 'ClassDeclaration':
        return boundBy(one['id'])
      case 'ExportNamedDeclaration':
        return declaredBy(one['declaration'])
      default:
        return []
    }
  })

/** The variables of patterns such as `{ a, b: [c], ...d }`. */
const boundBy = (patterns: unknown): readonly string[] =>
  nodesIn(patterns).flatMap((one) => {
    switch (one.type) {
      case 'Identifier':
        return [String(one.name)]
      case 'AssignmentPattern':
        return boundBy(one['left'])
      case 'RestElement':
        return boundBy(one['argument'])
      case 'ArrayPattern':
        return boundBy(one['elements'])
      case 'ObjectPattern':
        return nodesIn(one['properties']).flatMap((property) => boundBy(property.type === 'RestElement' ? property : property['value']))
      default:
        return []
    }
  })
