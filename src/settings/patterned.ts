import { z } from '../yaml/zod.ts'
import { ldapKeywords, listenKeywords, webKeywords } from './patterns/address.ts'
import { cronKeywords } from './patterns/cron.ts'
import { settingsName, slugPattern } from './patterns/name.ts'
import { timezoneKeywords } from './patterns/timezone.ts'

/**
 * Texts whose errors come from `checkSettings`, since a pattern has no good error message. The patterns are for the JSON Schemas, which Helm and
 * editors read. Tests compare both.
 */
const address = z.string().refine((text) => URL.canParse(text), {
  error: 'this is not an address of HTTP',
  params: { cure: 'write https://plane.example.com, with a port or a path where they are needed' },
})
export const webAddress = address.meta({ format: 'uri', ...webKeywords })
export const ldapAddress = z.string().meta(ldapKeywords)
export const listenAddress = z.string().meta(listenKeywords)
export const cron = z.string().meta(cronKeywords)
export const timezone = z.string().meta(timezoneKeywords)
export const slug = z.string().min(1, 'a slug has at least one character').meta({ pattern: slugPattern })

/** The name of a workspace, a directory or a credential in the settings. */
export const name = z
  .string()
  .regex(new RegExp(settingsName, 'u'), 'a name neither begins nor ends with a blank, and has no control characters')
