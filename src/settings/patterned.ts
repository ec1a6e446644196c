import { z } from '../yaml/zod.ts'
import { ldapKeywords, listenKeywords, webKeywords } from './patterns/address.ts'
import { cronKeywords } from './patterns/cron.ts'
import { settingsName, slugPattern } from './patterns/name.ts'
import { timezoneKeywords } from './patterns/timezone.ts'

/**
 * Texts that `checkSettings` looks at more closely, with better sentences than a pattern has. The pattern of each is for those who read the
 * JSON Schemas, Helm and editors; tests hold both against each other.
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

/** What the settings call a workspace, a directory or a credential. */
export const name = z
  .string()
  .regex(new RegExp(settingsName, 'u'), 'a name neither begins nor ends with a blank, and has no control characters')
