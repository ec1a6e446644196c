/**
 * One setting, and what is seen with each of its values. What is seen has to be different for each of them, so a setting that reaches nothing
 * cannot have a row.
 */
export type Row = {
  /** As `leavesOf` calls it. */
  readonly setting: string
  /** The settings that surround it. */
  readonly base: Tree
  /** The value, `undefined` where it is left out, and what is seen then. */
  readonly cases: readonly Case[]
  /** Composes the program from settings, and looks at what it does. */
  readonly see: (settings: Tree) => Promise<unknown>
}

type Case = readonly [value: unknown, seen: unknown]
export const when = (value: unknown, seen: unknown): Case => [value, seen]

export type Tree = Readonly<Record<string, unknown>>

/** Map → the name that replaces `<name>` below it. */
const names: Readonly<Record<string, string>> = { workspaces: 'acme', credentials: 'default', directories: 'corp', aliases: 'member' }

/** The settings with a value at a place; `undefined` takes away what is there. */
export function withValue(settings: Tree, setting: string, value: unknown): Tree {
  const steps = setting.split('.')
  return put(
    settings,
    steps.map((step, index) => (step.startsWith('<') ? (names[steps[index - 1] ?? ''] ?? step) : step)),
    value,
  )
}

function put(tree: Tree, [step = '', ...more]: readonly string[], value: unknown): Tree {
  const { [step]: before, ...others } = tree
  if (more.length > 0) return { ...others, [step]: put(isTree(before) ? before : {}, more, value) }
  return value === undefined ? others : { ...others, [step]: value }
}

/** `more` over `base`, map by map. */
export function over(base: Tree, more: Tree): Tree {
  const merged = Object.entries(more).map(([name, value]): [string, unknown] => {
    const before = base[name]
    return [name, isTree(before) && isTree(value) ? over(before, value) : value]
  })
  return { ...base, ...Object.fromEntries(merged) }
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)
