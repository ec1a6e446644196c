import { z } from '../../yaml/zod.ts'
import { entraSchema } from './entra.ts'
import { groupFileSchema } from './file.ts'
import { keycloakSchema } from './keycloak.ts'
import { ldapSchema } from './ldap.ts'

/** The settings of a directory. `compose/directory.ts` is the other place that knows all kinds. */
export const directorySchema = z.discriminatedUnion('kind', [ldapSchema, keycloakSchema, entraSchema, groupFileSchema])
export type DirectorySettings = z.output<typeof directorySchema>
