export const idOf = (n: number): string => `00000000-0000-4000-8000-${`${n}`.padStart(12, '0')}`

/** A member of a group. Properties that are not given are null. */
export type TenantMember = {
  readonly id: string
  readonly type: 'user' | 'group' | 'device' | 'servicePrincipal' | 'orgContact'
  readonly mail?: string
  readonly userPrincipalName?: string
  readonly accountEnabled?: boolean
  readonly visibility?: string
}

export const user = (n: number, more: Partial<TenantMember> = {}): TenantMember => ({
  id: idOf(n),
  type: 'user',
  mail: `person-${n}@example.com`,
  userPrincipalName: `person-${n}@contoso.example`,
  accountEnabled: true,
  ...more,
})
export const inside = (n: number, more: Partial<TenantMember> = {}): TenantMember => ({ id: idOf(n), type: 'group', ...more })

type Known = {
  readonly groups: readonly { readonly id: string; readonly visibility?: string }[]
  readonly members?: Readonly<Record<string, readonly TenantMember[]>>
  readonly permissions?: readonly string[]
}

/** https://learn.microsoft.com/graph/permissions-reference#userreadbasicall: `accountEnabled` is none of these. */
const basic: ReadonlySet<string> = new Set(['mail', 'userPrincipalName'])

/**
 * The answer to a path below `/v1.0/groups/`: the rows of a list, one object, or undefined for 404. Sources:
 * https://learn.microsoft.com/graph/api/group-list-members, …/group-list-transitivemembers (a flat list of all nested members), …/group-get. What Graph
 * answers about a hidden membership without `Member.Read.Hidden` is not documented; here it is an empty list.
 */
export function belowGroup(
  path: string,
  { groups, members = {}, permissions = everything }: Known,
): object | readonly object[] | undefined {
  const [, id = '', list] = /^\/v1\.0\/groups\/([^/]+)(?:\/(members|transitiveMembers))?$/.exec(path) ?? []
  const group = groups.find((one) => one.id === id)
  if (group === undefined) return undefined
  if (list === undefined) return group
  const isHidden = (of: string) =>
    !permissions.includes('Member.Read.Hidden') && groups.find((one) => one.id === of)?.visibility === 'HiddenMembership'
  const direct = (of: string) => (isHidden(of) ? [] : (members[of] ?? []))
  const found = new Map(direct(id).map((member) => [member.id, member]))
  if (list === 'transitiveMembers') for (const one of found.values()) for (const more of direct(one.id)) found.set(more.id, more)
  found.delete(id)
  return [...found.values()].map((member) => shownTo(permissions, member))
}

const everything = ['GroupMember.Read.All', 'User.Read.All']

/** https://learn.microsoft.com/graph/permissions-overview, "Limited information returned for inaccessible member objects". */
function shownTo(permissions: readonly string[], { id, type, ...properties }: TenantMember): object {
  const mayRead = (name: string) =>
    type !== 'user' || permissions.includes('User.Read.All') || (permissions.includes('User.ReadBasic.All') && basic.has(name))
  const shown = Object.entries(properties).map(([name, value]) => [name, mayRead(name) ? value : null])
  return { '@odata.type': `#microsoft.graph.${type}`, id, ...Object.fromEntries(shown) }
}
