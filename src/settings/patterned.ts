import { ListenError, parseListen } from './listen.ts'
import { ldapKeywords, listenKeywords, type WrongPath, webKeywords } from './patterns/address.ts'
import { cronKeywords } from './patterns/cron.ts'
import { slugPattern } from './patterns/name.ts'
import { timezoneKeywords } from './patterns/timezone.ts'
import { boundedText } from './scalars.ts'

/**
 * Texts whose errors come from `checkSettings`, since a pattern has no good error message. The patterns are for the JSON Schemas, which Helm and
 * editors read. Tests check that the patterns and `checkSettings` accept the same texts.
 */
const address = boundedText.refine((text) => URL.canParse(text), {
  error: 'this is not an address of HTTP',
  params: { cure: 'write https://plane.example.com, with a port or a path where they are needed' },
})
export const webAddress = (wrong?: WrongPath) => address.meta({ format: 'uri', ...webKeywords(wrong) })
export const ldapAddress = boundedText.meta(ldapKeywords)
export const listenAddress = boundedText
  .superRefine((text, context) => {
    try {
      parseListen(text)
    } catch (error) {
      if (!(error instanceof ListenError)) throw error
      const cure = 'write host:port, [::1]:port, or :port for every address; a port is at most 65535'
      context.addIssue({ code: 'custom', message: error.message, params: { cure } })
    }
  })
  .meta(listenKeywords)
export const cron = boundedText.meta(cronKeywords)
export const timezone = boundedText.meta(timezoneKeywords)
export const slug = boundedText.meta({ pattern: slugPattern })
