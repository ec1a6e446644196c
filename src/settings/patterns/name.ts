import type { Keywords } from './text.ts'

/** A workspace's slug is part of the service's addresses, where `../admin` would be another path. */
export const slugPattern = '^[A-Za-z0-9_-]+$'

/** A name of a workspace, a directory or a credential in the settings: no blanks at its ends, no control characters. */
export const settingsName = '^[^\\x00-\\x20\\x7f](?:[^\\x00-\\x1f\\x7f]*[^\\x00-\\x20\\x7f])?$'

/** A workspace without a `slug` has a name that is a slug. */
export const slugOrName: Keywords = {
  allOf: [{ patternProperties: { [slugPattern]: {} }, additionalProperties: { required: ['slug'] } }],
}
