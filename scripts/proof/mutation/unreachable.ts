/** The part of a babel path that is used here. */
type Path = {
  isSwitchCase(): boolean
  readonly node: { readonly test?: unknown; readonly consequent?: readonly Statement[] }
}
type Statement = { readonly argument?: Satisfies | null; readonly expression?: Satisfies }
type Satisfies = { readonly type: string; readonly typeAnnotation?: { readonly type: string } }

/** Ignores the `default` with `satisfies never` at the end of a `switch`. The compiler proves that no value gets there, so no test can reach it. */
const ignorer = {
  shouldIgnore(path: Path): string | undefined {
    const { test, consequent = [] } = path.node
    if (!path.isSwitchCase() || test !== null || consequent.length !== 1) return undefined
    const { argument, expression } = consequent[0] as Statement
    const said = argument ?? expression
    const isNever = said?.type === 'TSSatisfiesExpression' && said.typeAnnotation?.type === 'TSNeverKeyword'
    return isNever ? 'the compiler proves that nothing gets here' : undefined
  },
}

export const strykerPlugins = [{ kind: 'Ignore', name: 'unreachable', value: ignorer }]
