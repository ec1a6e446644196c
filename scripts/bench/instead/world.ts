/** The same work for each tool: 300 mappings in three workspaces, declared by 57 groups. */
export const workspaces = ['acme', 'beta', 'gamma'] as const
export const projects = Array.from({ length: 10 }, (_, index) => `P${index}`)

/** `projects` absent: a role in the workspace. */
export type Rule = { readonly group: string; readonly projects?: readonly string[]; readonly role: string }
export type Rules = Readonly<Record<string, readonly Rule[]>>

/** @param share how many of the ten workspace roles and nine groups of each workspace are declared, 1 for all */
export const rulesFor = (share = 1): Rules =>
  Object.fromEntries(
    workspaces.map((workspace) => [
      workspace,
      [
        ...numbered(`${workspace}-people`, 10 * share).map((group) => ({ group, role: 'member' })),
        ...numbered(`${workspace}-team`, 9 * share).map((group) => ({ group, projects, role: 'member' })),
      ],
    ]),
  )

export const mappingsIn = (rules: Rules): number =>
  Object.values(rules)
    .flat()
    .reduce((sum, { projects: those }) => sum + (those?.length ?? 1), 0)

const numbered = (prefix: string, count: number) => Array.from({ length: Math.round(count) }, (_, index) => `${prefix}-${index}`)
