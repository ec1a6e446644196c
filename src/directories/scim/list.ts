import { visible } from '../../core/safeName.ts'
import type { Ask } from '../overHttp/ask.ts'
import { groupList, type ScimGroupRow, type ScimName } from './answers.ts'

/** Which groups are listed, and with which attributes. */
export type GroupQuery = { readonly name: ScimName; readonly filter?: string | undefined }

/** One answer to a request for groups. `total`: how many groups there are on all pages, if the server says it. */
export type ListAnswer = {
  readonly total: number | undefined
  readonly groups: readonly ScimGroupRow[]
  readonly nextCursor: string | undefined
}

/** Asks for a page of groups. `page`: the parameters that say which page it is. */
export type AskPage = (page: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<ListAnswer>

/**
 * Asks for the first page, and finds out how to leave out the members, which may be a hundred thousand in a group. Some servers ignore `attributes`, or
 * then also leave out the id; they are asked with `excludedAttributes`. Both together are an error (RFC 7644 §3.9).
 */
export async function openList(
  ask: Ask,
  { name, filter }: GroupQuery,
  firstPage: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<{ readonly askPage: AskPage; readonly first: ListAnswer }> {
  const schema = groupList(name)
  const askWith =
    (attributes: Readonly<Record<string, string>>): AskPage =>
    async (page, signal) =>
      (await ask('/Groups', { ...page, ...attributes, ...(filter === undefined ? {} : { filter }) }, schema, signal)).body
  const named = askWith({ attributes: `id,${name}` })
  const first = await named(firstPage, signal)
  if (!first.groups.some(({ id, hasMembers }) => id === undefined || hasMembers)) return { askPage: named, first }
  const without = askWith({ excludedAttributes: 'members' })
  return { askPage: without, first: await without(firstPage, signal) }
}

/** A group that has an id and a name. */
export type Named = { readonly id: string; readonly name: string }

/** The groups of a page, or the reason why they cannot be told apart or named. */
export function namedGroups(groups: readonly ScimGroupRow[], { name }: GroupQuery): readonly Named[] | string {
  const named: Named[] = []
  for (const group of groups) {
    if (group.id === undefined) return 'a group has no id, so that groups cannot be told apart'
    if (group.name === undefined) return `the group ${visible(group.id)} has no ${name}${namelessCure[name]}`
    named.push({ id: group.id, name: group.name })
  }
  return named
}

const namelessCure: Readonly<Record<ScimName, string>> = {
  displayName: '; check that the account may read it',
  externalId: '; to leave out such groups set groups.filter: externalId pr',
}
