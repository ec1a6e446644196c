import { z } from '../yaml/zod.ts'
import { workspaceSchema } from './schema.ts'

const items = <T extends z.ZodType>({ element }: z.ZodArray<T>) => z.array(element.optional().catch(undefined)).optional().catch(undefined)
const { from, workspaceRoles, projectRoles, removed, unmanaged, waivers, groupSync } = workspaceSchema.shape

/**
 * A lenient parse of a file with mistakes, so that contradictions are shown together with the mistakes. An entry that does not fit the schema
 * becomes undefined and keeps its place in the list. Every valid file also fits this schema.
 */
export const lenientSchema = z.object({
  owner: z.string().optional().catch(undefined),
  from: from.catch(undefined),
  workspaces: z
    .record(
      z.string(),
      z
        .object({
          from: from.catch(undefined),
          workspaceRoles: items(workspaceRoles.unwrap()),
          projectRoles: items(projectRoles.unwrap()),
          removed: items(removed.unwrap()),
          unmanaged: items(unmanaged.unwrap()),
          waivers: items(waivers.unwrap()),
          groupSync: groupSync.catch(undefined),
        })
        .catch({}),
    )
    .catch({}),
})

export type LenientFile = z.output<typeof lenientSchema>
