import { defined } from '../../core/fields.ts'
import { checkedList } from '../../http/checkedList.ts'
import { id, optionalText, type Times, timesOf, timestamp } from './fields.ts'
import { parse, z } from './parse.ts'

/** Another object that an item refers to. `name` and `group` are there only if the request had `expand` for the relation. */
type Related = { readonly id: string; readonly name?: string; readonly group?: string }

/** A relation is an id, or with `expand` an object. Plane expands a relation that is null to `{}` (measured). */
const relation = z.union([
  id.transform((value): Related => ({ id: value })),
  z.object({ id, name: optionalText, display_name: optionalText, group: optionalText }).transform(
    ({ id, name, display_name, group }): Related => ({
      id,
      ...defined({ name: name ?? display_name ?? undefined, group: group ?? undefined }),
    }),
  ),
  z.strictObject({}).transform(() => undefined),
  z.null().transform(() => undefined),
])

const workItemRow = z.object({
  id,
  name: optionalText,
  sequence_id: z.number().int().nullish(),
  priority: optionalText,
  state: relation.optional(),
  assignees: checkedList(relation).nullish(),
  created_at: timestamp,
  updated_at: timestamp,
})

/** The `id` is always there; another field only if `fields` of the request named it, or if the request had no `fields`. */
export type WorkItem = {
  readonly id: string
  readonly name?: string
  readonly sequence?: number
  readonly priority?: string
  readonly state?: Related
  readonly assignees?: readonly Related[]
} & Times

export function workItemFrom(row: unknown, at = ''): WorkItem {
  const fields = parse(workItemRow, row, at)
  const { id, name, sequence_id, priority, state, assignees } = fields
  return {
    id,
    ...defined({
      name: name ?? undefined,
      sequence: sequence_id ?? undefined,
      priority: priority ?? undefined,
      state,
      assignees: assignees?.filter((person) => person !== undefined),
    }),
    ...timesOf(fields),
  }
}
