import { noticeKinds } from '../core/memory/told.ts'
import { noticeFormats } from '../core/notice/notice.ts'
import { noteCharactersMax } from '../core/safeName.ts'
import { type OwnerOf, openOwners } from '../declaration/fenceOwner.ts'
import { atMost, z } from '../yaml/zod.ts'
import { boundedText, certificateFile, name, plainText, secret } from './scalars.ts'

/** So many receivers at most. Each has a queue of its own. */
const receiversMax = 100

/** Only signs that no receiver reads as the end of a link, or as markup. */
const linkPattern = String.raw`^https://[A-Za-z0-9.\-]+(?::\d{1,5})?(?:/[A-Za-z0-9\-._~%/?=&#:+,;]*)?$`
const link = boundedText
  .refine((text) => new RegExp(linkPattern, 'u').test(text) && URL.canParse(text), {
    error: 'this is not a link that a message can have',
    params: { cure: 'write an address that begins with https://, with letters, digits and usual signs' },
  })
  .meta({ pattern: linkPattern })

const receiver = z.strictObject({
  name: name.optional().describe('How the log calls this receiver. Default: its place, as in `notify[0]`. The address is never shown.'),
  owner: atMost(noteCharactersMax, plainText)
    .optional()
    .describe(
      'An owner from `fences`. The receiver then hears only what concerns rules and files of these fences; all others still hear it, too. Default: it hears everything.',
    ),
  url: secret.describe(
    'The address to which messages are sent, as a secret: `{file: …}` or `{env: …}`. It must begin with `https://`. It is read again for each message.',
  ),
  format: z
    .enum(noticeFormats)
    .describe(
      '`text`: Slack, Mattermost and Google Chat (incoming webhooks). `card`: a workflow of Microsoft Teams. `full`: JSON for a program (`schema notice`).',
    ),
  on: z
    .array(z.enum(noticeKinds))
    .min(1)
    .refine((kinds) => new Set(kinds).size === kinds.length, { error: 'a word is here twice', params: { cure: 'write each word once' } })
    .meta({ uniqueItems: true })
    .default([...noticeKinds])
    .describe('What the receiver hears: see docs/notify.md.'),
  link: link.optional().describe('An address that each message names, such as that of a dashboard. Messages have no other link.'),
  caFile: certificateFile
    .optional()
    .describe("A PEM file with the certificates to trust for this receiver. It replaces the system's certificates."),
})
export type ReceiverSettings = z.output<typeof receiver>

export const notify = z
  .array(receiver)
  .max(receiversMax)
  .default([])
  .describe('Who is told, once, that a person must act: see docs/notify.md. Only the daemon (`run`) tells.')

/** How outputs call a receiver. */
export const receiverName = ({ name: own }: Pick<ReceiverSettings, 'name'>, index: number): string => own ?? `notify[${index}]`

/** The owners that a fence gives to files. What a file itself says of its owner does not count: everyone may write it. */
export const fenceOwners = ({ fences }: { readonly fences?: Parameters<typeof openOwners>[0] | undefined }): OwnerOf =>
  fences === undefined ? () => undefined : openOwners(fences)

/** How outputs call a file of certificates. An address there is one that stands in the wrong place, and that of a receiver is a secret. */
export const certificatesName = (file: string, path = (name: string) => name): string =>
  /^\s*https?:/i.test(file) ? 'an address' : path(file)

/** Why nothing can be sent to an address; undefined if it can. Nothing of the address is in the text. */
export function whyNoReceiver(address: string): string | undefined {
  const url = URL.parse(address.trim())
  if (url === null) return 'its url is not an address'
  if (url.protocol !== 'https:') return 'its url does not begin with https://'
  if (url.username !== '' || url.password !== '') return 'its url has a user name or a password'
  return url.hash === '' ? undefined : 'its url has a fragment (#…)'
}
