import { z } from '../yaml/zod.ts'
import { workspaceSchema } from './schema.ts'

const items = <T extends z.ZodType>({ element }: z.ZodArray<T>) => z.array(element.optional().catch(undefined)).optional().catch(undefined)
const { workspaceRoles, projectRoles, removed, unmanaged, groupSync } = workspaceSchema.shape

/**
 * What can be understood of a file that is wrong elsewhere, so that contradictions are told together with mistakes: an entry that does not fit
 * the schema becomes undefined and keeps its place in its list. Every valid file also satisfies it.
 */
export const salvageSchema = z.object({
  owner: z.string().optional().catch(undefined),
  workspaces: z
    .record(
      z.string(),
      z
        .object({
          workspaceRoles: items(workspaceRoles.unwrap()),
          projectRoles: items(projectRoles.unwrap()),
          removed: items(removed.unwrap()),
          unmanaged: items(unmanaged.unwrap()),
          groupSync: groupSync.catch(undefined),
        })
        .catch({}),
    )
    .catch({}),
})

export type SalvagedFile = z.output<typeof salvageSchema>
