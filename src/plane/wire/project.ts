import { type ProjectIdentifier, projectIdentifier } from '../../core/mapping.ts'
import { id, optionalText, parse, z } from './fields.ts'

const projectRow = z.object({ id, identifier: z.string().min(1), name: optionalText, archived_at: optionalText })

/** The names of the fields that a `Project` is made of. */
export const projectFields: readonly string[] = Object.keys(projectRow.shape)

/** Addresses contain the `id`; mappings contain the `identifier`. */
export type Project = {
  readonly id: string
  readonly identifier: ProjectIdentifier
  readonly name: string
  readonly archived: boolean
}

export function projectFrom(row: unknown, at = ''): Project {
  const { id, identifier, name, archived_at } = parse(projectRow, row, at)
  return {
    id,
    identifier: projectIdentifier(identifier),
    name: name ?? identifier,
    archived: Boolean(archived_at),
  }
}
