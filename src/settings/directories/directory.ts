import { z } from '../../yaml/zod.ts'
import { plainText } from '../scalars.ts'
import { entraSchema } from './entra.ts'
import { googleSchema } from './google.ts'
import { keycloakSchema } from './keycloak.ts'
import { ldapSchema } from './ldap.ts'
import { oktaSchema } from './okta.ts'
import { scimSchema } from './scim.ts'
import { expect, shrink } from './shared.ts'

const groupFileSchema = z.strictObject({
  kind: z.literal('file'),
  path: plainText.describe('A YAML file with `groups: [{ name: …, id: …, members: […] }]`. docs/directories.md has the keys of an entry.'),
  shrink,
  expect,
})

/** The settings of a directory. `compose/directory.ts` is the other place that knows all kinds. */
export const directorySchema = z.discriminatedUnion('kind', [
  ldapSchema,
  keycloakSchema,
  entraSchema,
  oktaSchema,
  googleSchema,
  scimSchema,
  groupFileSchema,
])
export type DirectorySettings = z.output<typeof directorySchema>
