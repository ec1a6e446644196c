import { describe, expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { filesBelow, type SourceFile } from './files.ts'

/**
 * Arguments lie on the stack: a call takes some 120,000 of them, and a list may be longer. So no list is spread into a call or given to
 * `apply`. A rest parameter may be passed on, because its values were arguments before.
 */
describe('lists as arguments', () => {
  test('no list is spread into a call', () => {
    expect(filesBelow('src', '.ts').flatMap(spreadsIn)).toEqual([])
  })

  test.each([
    'Math.max(0, ...sizes)',
    'rows.push(...more)',
    'String.fromCharCode(...codes)',
    'new Date(...parts)',
    'list?.splice(0, 1, ...more)',
    'const outer = (list: string[]) => call(...list)',
    'const call = (...args: string[]) => other(...args.map(trim))',
    'Math.max.apply(undefined, sizes)',
    'Reflect.apply(Math.max, undefined, [0, ...sizes])',
    'Reflect.construct(Date, parts)',
  ])('%s is found', (code) => {
    expect(spreadsIn({ path: 'a.ts', text: `\n${code}` })).toEqual([`a.ts:2: ${code}`])
  })

  test.each([
    'const all = [...some, ...more]',
    'new Set([...some])',
    'call({ ...some })',
    'const pass = (...args: string[]) => () => call(1, ...args)',
    'const pass = (...args: string[]) => Reflect.apply(call, undefined, [1, ...args])',
    'apply(plan, list)',
  ])('%s is none', (code) => {
    expect(spreadsIn({ path: 'a.ts', text: code })).toEqual([])
  })
})

type Node = { readonly type: string; readonly start: number } & Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const nodesOf = (value: unknown): readonly Node[] => (Array.isArray(value) ? value : [value]).filter(isNode)

/** `file:line: the line` for each call that gets a list as its arguments. */
function spreadsIn({ path, text }: SourceFile): readonly string[] {
  const lines = text.split('\n')
  const found: string[] = []
  const walk = (node: Node, rests: ReadonlySet<unknown>): void => {
    const known = new Set([...rests, ...restsOf(node)])
    if (isCall(node) && listsGiven(node).some((list) => !isPassedOn(list, known))) {
      const line = text.slice(0, node.start).split('\n').length
      found.push(`${path}:${line}: ${lines[line - 1]?.trim()}`)
    }
    for (const value of Object.values(node)) for (const inner of nodesOf(value)) walk(inner, known)
  }
  walk(parseAst(text, { lang: 'ts' }) as unknown as Node, new Set())
  return found
}

const isCall = ({ type }: Node) => type === 'CallExpression' || type === 'NewExpression'

/** The name of the rest parameter of a function. */
const restsOf = ({ params }: Node): readonly unknown[] =>
  nodesOf(params).flatMap((one) => (one.type === 'RestElement' ? nodesOf(one.argument).map(({ name }) => name) : []))

/** The lists whose elements become arguments. */
function listsGiven({ arguments: args, callee }: Node): readonly Node[] {
  const given = nodesOf(args)
  const [method] = nodesOf(callee)
  const name = namesOf(method?.property)[0]
  if (name !== 'apply' && name !== 'construct') return spreadOf(given)
  // The list is the third argument of `Reflect.apply`, and the second argument of the others.
  const at = name === 'apply' && namesOf(method?.object)[0] === 'Reflect' ? 2 : 1
  return [...spreadOf(given), ...given.slice(at, at + 1)]
}

const namesOf = (value: unknown) => nodesOf(value).map(({ name }) => name)
const spreadOf = (nodes: readonly Node[]) => nodes.flatMap((one) => (one.type === 'SpreadElement' ? nodesOf(one.argument) : []))

function isPassedOn(list: Node, rests: ReadonlySet<unknown>): boolean {
  if (list.type === 'ArrayExpression') return spreadOf(nodesOf(list.elements)).every((one) => isPassedOn(one, rests))
  return list.type === 'Identifier' && rests.has(list.name)
}
