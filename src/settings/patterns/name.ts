import type { Keywords } from './text.ts'

/** A workspace's slug stands in the service's addresses: `../admin` would lead elsewhere. */
export const slugPattern = '^[A-Za-z0-9_-]+$'

/** Of a workspace, a directory or a credential in the settings: without blanks at its ends and control characters. */
export const settingsName = '^[^\\x00-\\x20\\x7f](?:[^\\x00-\\x1f\\x7f]*[^\\x00-\\x20\\x7f])?$'

/** A workspace without a `slug` has its name for one. */
export const slugOrName: Keywords = {
  allOf: [{ patternProperties: { [slugPattern]: {} }, additionalProperties: { required: ['slug'] } }],
}
