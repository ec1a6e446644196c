import { describe, expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { filesBelow, type SourceFile } from './files.ts'

/** Things that messages count. Characters, bytes and steps are not among them: a message has their number if it is too large. */
const nouns = [
  ...['address', 'attempt', 'call', 'change', 'create', 'credential', 'delete', 'directory', 'document'],
  ...['entry', 'error', 'failure', 'field', 'file', 'finding', 'fault', 'group', 'hour', 'item', 'key', 'level', 'line', 'mapping'],
  ...['minute', 'page', 'pattern', 'patch', 'person', 'place', 'problem', 'project', 'reference', 'request', 'role', 'row'],
  ...['rule', 'second', 'slug', 'time', 'user', 'value', 'way', 'workspace'],
]
const plurals = nouns.map((one) =>
  one
    .replace(/(ess|tch)$/, '$1e')
    .replace(/(?<=[^ae])y$/, 'ie')
    .concat('s')
    .replace('persons', 'people'),
)
/** Words that stand between: `3 owned mappings`. */
const pluralNext = new RegExp(`^ (?:(?:assigned|existing|further|more|other|owned|project|workspace) )?(?:${plurals.join('|')})\\b`)

/** Limits are larger than 1: `filesMax`, `soonDays`. */
const isLimit = (code: string) => /(?:Max|Min|Days)\)?$/.test(code) || /^[a-zA-Z]+(?:Ms|Max) \/ [\d_]+$/.test(code)
/** A choice between one and several of the same number. */
const isChoice = (test: string, number: string) =>
  /(?:[=!]==|[<>]=?) ?[12]\b/.test(test) && (number.match(/[a-zA-Z]+/g) ?? []).some((name) => !isCommon.has(name) && test.includes(name))
const isCommon = new Set(['count', 'length', 'size'])

/** `1 mappings` is no English. `counted` of `core/quantity.ts` puts a number before its noun, for every number. */
describe('numbers before nouns', () => {
  test('are written by `counted`', () => {
    expect(filesBelow('src', '.ts').flatMap(uncountedIn)).toEqual([])
  })

  test.each([
    '`${n} creates on top`',
    '`${list.length} patches and deletes`',
    '`all ${count(before)} project mappings`',
    '`${n} assigned groups have no name`',
    'n === 0 ? "none" : `${n} people`',
    'page === 1 ? "" : `after ${found.size} groups`',
  ])('%s is found', (code) => {
    expect(uncountedIn({ path: 'a.ts', text: `\nconst text = ${code}` })).toEqual([`a.ts:2: const text = ${code}`])
  })

  test.each([
    '`${counted(n, "create")} on top`',
    '`more than ${filesMax} files`',
    'n === 1 ? "1 field" : `${n} fields`',
    '`${workspace} failed`',
  ])('%s is not', (code) => {
    expect(uncountedIn({ path: 'a.ts', text: `const text = ${code}` })).toEqual([])
  })
})

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const nodesOf = (value: unknown): readonly Node[] => (Array.isArray(value) ? value : [value]).filter(isNode)

/** `file:line: the line` for each number that a template puts before a plural by itself. */
function uncountedIn({ path, text }: SourceFile): readonly string[] {
  const lines = text.split('\n')
  const found: string[] = []
  const codeOf = ({ start, end }: Node) => text.slice(start, end)
  const walk = (node: Node, choices: readonly string[]): void => {
    const tests = node.type === 'ConditionalExpression' ? [...choices, ...nodesOf(node.test).map(codeOf)] : choices
    if (node.type === 'TemplateLiteral')
      for (const [index, one] of nodesOf(node['expressions']).entries()) {
        const [, ...after] = nodesOf(node['quasis'])
        const next = after[index] === undefined ? '' : codeOf(after[index]).replace(/^\}/, '')
        if (!pluralNext.test(next) || isLimit(codeOf(one)) || tests.some((choice) => isChoice(choice, codeOf(one)))) continue
        const line = text.slice(0, one.start).split('\n').length
        found.push(`${path}:${line}: ${lines[line - 1]?.trim()}`)
      }
    for (const value of Object.values(node)) for (const child of nodesOf(value)) walk(child, tests)
  }
  walk(parseAst(text, { lang: 'ts' }) as unknown as Node, [])
  return found
}
