import type { Group } from '../core/group.ts'
import type { GroupName } from '../core/mapping.ts'
import { type Members, type Memberships, personKey } from '../core/people/members.ts'
import { groupNameCharactersMax } from '../core/safeName.ts'
import { position } from '../yaml/document.ts'
import { parseYaml } from '../yaml/parse.ts'
import type { Problem } from '../yaml/problem.ts'
import { validate } from '../yaml/validate.ts'
import { z } from '../yaml/zod.ts'

type ParsedGroups =
  | { readonly valid: true; readonly groups: readonly Group[]; readonly memberships: Memberships }
  | { readonly valid: false; readonly problems: readonly Problem[] }

const Entry = z
  .strictObject({
    name: z.string().min(1).max(groupNameCharactersMax).describe('the name as in the claim of the identity provider'),
    id: z.string().min(1).optional().describe('stays the same when the group is renamed'),
    people: z.int().nonnegative().optional().describe('number of direct members'),
    members: z
      .array(z.string())
      .optional()
      .describe('the members, each by a text that is the same in all groups, such as the mail address'),
  })
  .refine(({ people, members }) => people === undefined || members === undefined, 'people or members, not both')
const File = z.strictObject({ groups: z.array(Entry).describe('a list, which may be empty: []') })

/** Reads `groups: [{name, id?, people? | members?}]`, strict YAML 1.2 or JSON. The `place` of each group is `file:line`. Problems are returned, not thrown. */
export function parseGroupFile(bytes: Uint8Array, file: string): ParsedGroups {
  const { document, problems } = parseYaml(bytes, { file, schema: File })
  if (document === undefined || problems.length > 0) return { valid: false, problems }
  const checked = validate(document, File)
  if (!checked.valid) return checked
  const groups = checked.value.groups.map((entry, index) => groupOf(entry, `${file}:${position(document, ['groups', index]).line}`))
  const memberships = new Map(
    checked.value.groups.flatMap(({ members }, index) =>
      members === undefined ? [] : [[(groups[index] as Group).id, membersOf(members)]],
    ),
  )
  return { valid: true, groups, memberships }
}

function groupOf({ name, id, people, members }: z.infer<typeof Entry>, place: string): Group {
  const count = people ?? (members === undefined ? undefined : membersOf(members).people.length)
  return { name: name as GroupName, id: id ?? name, place, ...(count === undefined ? {} : { people: count }) }
}

const membersOf = (members: readonly string[]): Members => ({
  people: [...new Set(members.map((member) => personKey(member)))],
})
