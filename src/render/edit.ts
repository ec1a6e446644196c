import { groupOfKey, type Key, type Role, type Target, targetOfKey } from '../core/mapping.ts'
import type { Edit } from '../core/memory/seen.ts'
import { nameText, placeOf, roleBefore } from './change.ts'

/** A change of one mapping that others made in Plane, or this program. `before` is absent if there was no mapping, `after` if there is none. */
type ShownEdit = EditPlace & {
  /** What the mapping was about before. */
  readonly from?: EditPlace | undefined
  readonly before?: Role | null | undefined
  readonly after?: Role | null | undefined
}
type EditPlace = { readonly target: Target; readonly group: string }

/** An edit that the memory keeps. */
export const shownEdit = ({ key, from, before, after }: Edit): ShownEdit => ({
  ...placeOfEdit(key),
  from: from && placeOfEdit(from),
  before,
  after,
})
const placeOfEdit = (key: Key): EditPlace => ({ target: targetOfKey(key), group: groupOfKey(key) })

/** `ENG devs, member → admin`, `ENG devs = member, renamed from old-devs` */
export function editText(edit: ShownEdit): string {
  const deed = editDeed(edit)
  return `${placeOf(edit.target)} ${nameText(edit.group)}${deed.startsWith('=') ? '' : ','} ${deed}`
}

/** `member → admin`, `= member, renamed from OPS devs` */
export function editDeed({ target, from, before, after }: ShownEdit): string {
  if (from === undefined) return `${shownRole(before)} → ${shownRole(after)}`
  const roles = before === after ? `= ${shownRole(after)}` : `${shownRole(before)} → ${shownRole(after)}`
  const place = placeOf(from.target) === placeOf(target) ? '' : `${placeOf(from.target)} `
  return `${roles}, renamed from ${place}${nameText(from.group)}`
}

/** The role of a mapping that there may not be. */
const shownRole = (role: Role | null | undefined): string => (role === undefined ? 'no mapping' : roleBefore(role))
