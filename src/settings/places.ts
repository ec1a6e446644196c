import type { Path } from '../yaml/document.ts'
import { partsOf } from '../yaml/schemaAt.ts'
import { secrecyOf } from '../yaml/secretPlaces.ts'
import type { z } from '../yaml/zod.ts'
import { type DirectorySettings, directorySchema } from './directories/directory.ts'
import { isCertificateFile, type SecretReference } from './scalars.ts'

type Place<T> = { readonly path: Path; readonly value: T }

/** All references to secrets in the settings of a directory, of any kind. Paths begin below the directory. */
export const secretsIn = (directory: DirectorySettings): readonly Place<SecretReference>[] =>
  // The schema of such a place takes nothing but a reference, and the settings have passed the schema.
  valuesWhere(directorySchema, directory, (schema) => secrecyOf(schema)?.cure !== undefined) as readonly Place<SecretReference>[]

/** All files of certificates in the settings of a directory. */
export const certificateFilesIn = (directory: DirectorySettings): readonly Place<string>[] =>
  valuesWhere(directorySchema, directory, isCertificateFile) as readonly Place<string>[]

/** The values whose schemas are wanted. Several branches of a union may have the same place. */
function valuesWhere(
  schema: z.ZodType,
  value: unknown,
  isWanted: (schema: z.ZodType) => boolean,
  path: Path = [],
): readonly Place<unknown>[] {
  if (value === undefined) return []
  if (isWanted(schema)) return [{ path, value }]
  if (typeof value !== 'object' || value === null) return []
  const found = partsOf(schema).flatMap(({ kind, step, part }) => {
    const entry = Object.entries(value).find(([key]) => kind === 'field' && key === step)
    return entry === undefined ? [] : valuesWhere(part, entry[1], isWanted, [...path, entry[0]])
  })
  return [...new Map(found.map((place) => [place.path.join('\n'), place])).values()]
}
