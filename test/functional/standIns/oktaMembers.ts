import type { OktaGroup } from './okta.ts'
import type { Listed } from './oktaPages.ts'

export type OktaUser = { readonly id: string; readonly status: string; readonly profile: Readonly<Record<string, unknown>> }

export const user = (n: number, status = 'ACTIVE', profile: OktaUser['profile'] = {}): OktaUser => ({
  id: `00u${n}`,
  status,
  profile: { firstName: 'X', lastName: `${n}`, login: `login-${n}@example.com`, email: `person-${n}@example.com`, ...profile },
})

/**
 * https://developer.okta.com/docs/api/openapi/okta-management/management/tag/Group/#tag/Group/operation/listGroupUsers: users as the Users API shows
 * them, 1,000 in a page if nothing is asked for. The scope is `okta.groups.read`. Undefined: there is no such group.
 */
export function usersOf(
  group: string,
  groups: readonly OktaGroup[],
  users: Readonly<Record<string, readonly OktaUser[]>> = {},
): readonly Listed[] | undefined {
  if (!groups.some(({ id }) => id === group)) return undefined
  return (users[group] ?? []).map((one) => ({
    cursor: one.id,
    row: {
      created: '2013-06-24T16:39:18.000Z',
      lastUpdated: '2013-07-02T21:36:25.344Z',
      type: { id: 'otyfnjfba4ye7pgjB0g4' },
      credentials: { provider: { type: 'OKTA', name: 'OKTA' } },
      ...one,
    },
  }))
}
