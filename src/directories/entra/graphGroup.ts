import { z } from '../../yaml/zod.ts'
import { graphPage } from './list.ts'

/** Maximum of one text, so that a hostile answer does not fill the memory. Entra takes 256 characters. */
const charactersMax = 4_096

/** Ids are GUIDs. An id of another form is half an item, and would be a name that no login sends. */
export const graphId = z.string().regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i)
const text = z.string().max(charactersMax).nullable()

/**
 * A group as Graph lists it (learn.microsoft.com/graph/api/resources/group). All properties were selected, so all are there, perhaps with null: by
 * OData a property is left out only if the client asks for that (OData JSON Format 4.01, §7). A property that is absent means half an item.
 */
export const GraphGroup = z.object({
  id: graphId,
  displayName: text,
  onPremisesSamAccountName: text,
  onPremisesDomainName: text,
  onPremisesNetBiosName: text,
  securityEnabled: z.boolean().nullable(),
})
export type GraphGroup = Readonly<z.infer<typeof GraphGroup>>
export const GroupsPage = graphPage(GraphGroup)

export const groupProperties = Object.keys(GraphGroup.shape).join()
