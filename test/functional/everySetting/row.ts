/**
 * One setting, and the observed behaviour with each of its values. The behaviour must differ from value to value. So a setting without an effect
 * cannot have a row.
 */
export type Row = {
  /** The path by `leavesOf`. */
  readonly setting: string
  /** The other settings. */
  readonly base: Tree
  /** The value (`undefined`: the setting is absent) and the behaviour with it. */
  readonly cases: readonly Case[]
  /** Composes the program from settings, and returns its behaviour. */
  readonly see: (settings: Tree) => Promise<unknown>
}

type Case = readonly [value: unknown, seen: unknown]
export const when = (value: unknown, seen: unknown): Case => [value, seen]

export type Tree = Readonly<Record<string, unknown>>

/** Map → the name that replaces `<name>` below it. */
const names: Readonly<Record<string, string>> = {
  workspaces: 'acme',
  fences: 'groups.yaml',
  expires: 'member',
  credentials: 'default',
  directories: 'corp',
  aliases: 'member',
}

/** The settings with a value at a place. `undefined` removes the present value. */
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

/** `base` with the values of `more`. Maps are merged. */
export function over(base: Tree, more: Tree): Tree {
  const merged = Object.entries(more).map(([name, value]): [string, unknown] => {
    const before = base[name]
    return [name, isTree(before) && isTree(value) ? over(before, value) : value]
  })
  return { ...base, ...Object.fromEntries(merged) }
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)
