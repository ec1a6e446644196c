import type { Branch } from '../../../test/functional/keycloak-fake.ts'

/** The kinds of directories that are read behind a latency. */
export const kinds = ['okta', 'google', 'entra', 'keycloak', 'scim', 'ldap'] as const
export type Kind = (typeof kinds)[number]

/** `groups` have 20 members each. `tree`: groups three deep, only at Keycloak. */
export type Shape = { readonly groups: number } | 'tree'

/** The API token that the stand-in for Okta accepts. */
export const oktaToken = 'the-api-token-of-the-reader'

export const membersEach = 20
/** All people of the directory. Each is in ten of 1,000 groups. */
export const everybody = 2_000
/** The numbers of the people in this group. */
export const peopleOf = (group: number): readonly number[] =>
  Array.from({ length: membersEach }, (_, n) => (group * membersEach + n) % everybody)

export const suffix = 'dc=example,dc=org'
export const groupDn = (n: number): string => `cn=g${n},ou=groups,${suffix}`
export const personDn = (n: number): string => `uid=u${n},ou=people,${suffix}`

/** The id and the place of a group at each kind. */
export const groupAt: Readonly<Record<Kind, (n: number) => { readonly id: string; readonly place: string }>> = {
  okta: (n) => at(`00g${String(n).padStart(6, '0')}`),
  google: (n) => at(`id-${n}`),
  entra: (n) => at(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`),
  keycloak: (n) => at(`/g${n}`),
  scim: (n) => at(`id-${n}`),
  ldap: (n) => ({ id: groupDn(n), place: groupDn(n) }),
}
const at = (id: string) => ({ id, place: `/groups/${id}` })

/** 20 groups, with 4 groups in each, and 5 in each of these: 500 groups with 20 members each. */
export const tree: readonly Branch[] = branches('a', 20, () => branches('b', 4, () => branches('c', 5, () => [])))
export const groupsOfTree = 500

function branches(name: string, count: number, below: () => readonly Branch[]): readonly Branch[] {
  return Array.from({ length: count }, (_, n) => ({ name: `${name}${n}`, people: membersEach, groups: below() }))
}
