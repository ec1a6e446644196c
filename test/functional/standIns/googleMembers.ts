import type { ServerResponse } from 'node:http'
import { errorBody, json } from './googleAnswers.ts'

/** https://developers.google.com/workspace/admin/directory/reference/rest/v1/members#Member. `status`: not of members outside of the Workspace. */
export type GoogleMember = { readonly id: string; readonly email?: string; readonly type: string; readonly status?: string }

export const user = (n: number, more: Partial<GoogleMember> = {}): GoogleMember => ({
  id: `10${n}`,
  email: `person-${n}@example.com`,
  type: 'USER',
  status: 'ACTIVE',
  ...more,
})
export const inside = (id: string): GoogleMember => ({ id, email: `${id}@example.com`, type: 'GROUP' })

const pageMax = 200
const pathOf = /^\/admin\/directory\/v1\/groups\/([^/]+)\/members$/

/** The id of the group whose members are asked for, and the page. */
export function membersKey(path: string, query: URLSearchParams): string | undefined {
  const [, group] = pathOf.exec(path) ?? []
  return group === undefined ? undefined : `members ${decodeURIComponent(group)} ${1 + Number(query.get('pageToken') ?? 0)}`
}

/**
 * https://developers.google.com/workspace/admin/directory/reference/rest/v1/members/list: the direct members, since `includeDerivedMembership` is not
 * asked for. What is empty is left out: https://developers.google.com/workspace/admin/directory/v1/guides/performance#partial
 */
export function answerMembers(
  response: ServerResponse,
  path: string,
  query: URLSearchParams,
  members: Readonly<Record<string, readonly GoogleMember[]>> = {},
): void {
  const [, group = ''] = pathOf.exec(path) ?? []
  const rows = members[decodeURIComponent(group)]
  // https://developers.google.com/workspace/admin/directory/v1/guides/troubleshoot-error-codes
  if (rows === undefined) return void json(response, 404, errorBody(404, 'notFound', 'Resource Not Found: groupKey'))
  const page = Number(query.get('pageToken') ?? 0)
  const size = Math.min(pageMax, Number(query.get('maxResults') ?? pageMax))
  const shown = rows.slice(page * size, (page + 1) * size)
  const isMore = rows.length > (page + 1) * size
  json(response, 200, {
    kind: 'admin#directory#members',
    ...(shown.length === 0 ? {} : { members: shown }),
    ...(isMore ? { nextPageToken: `${page + 1}` } : {}),
  })
}
