import { factSubjects, noticeKinds, type ToldFact } from '../core/memory/told.ts'
import { isGrave, type NoticeFormat } from '../core/notice/notice.ts'
import type { News } from '../core/notice/tell.ts'
import { defined } from '../core/optionalFields.ts'
import { count, isoTime } from '../core/quantity.ts'
import { oneLine } from '../core/safeName.ts'
import type { NoticeDocument } from '../documents/notice.ts'
import { nameText } from './change.ts'
import { documentBecause } from './documentParts.ts'
import { documentLine } from './documentText.ts'

/** `link`: the one address that a message may name. `scrub` removes secrets from texts. */
type MessageAbout = {
  readonly host: string
  readonly link?: string | undefined
  readonly atMs: number
  readonly scrub: (text: string) => string
}

/** What one receiver is told after one cycle, as the body of a request. Of too many facts it has the first ones, and the number of the others. */
export function noticeMessage(news: readonly News[], format: NoticeFormat, about: MessageAbout): string {
  const sorted = news.toSorted((a, b) => rank(a) - rank(b))
  const make = { text: textMessage, card: cardMessage, full: fullMessage }[format]
  const bodyOf = (shown: number) => about.scrub(make(sorted.slice(0, shown), sorted.length - shown, about))
  const fits = (body: string) => fitsInto[format](body)
  // A few lines fit, and there may be thousands: so few lines are made, and no cycle waits.
  let tooMany = 1
  while (tooMany <= sorted.length && fits(bodyOf(tooMany))) tooMany *= 2
  let most = Math.floor(tooMany / 2)
  tooMany = Math.min(tooMany, sorted.length + 1)
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2)
    if (fits(bodyOf(middle))) most = middle
    else tooMany = middle
  }
  return bodyOf(most)
}

/** What gave a protected role comes first, then what a person must act on, and what is over last. */
function rank(told: News): number {
  if (told.news === 'over') return noticeKinds.length + noticeKinds.indexOf(told.notice.kind)
  return isGrave(told.notice) ? -1 : noticeKinds.indexOf(told.notice.kind)
}

/**
 * Slack shows about 4,000 characters, and advises to send fewer. Google Chat takes 4,096 bytes of text. Teams takes 28 KB of a card. Sources:
 * docs.slack.dev/messaging/formatting-message-text, developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages,
 * learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using.
 */
const fitsInto: Readonly<Record<NoticeFormat, (body: string) => boolean>> = {
  text: (body) => body.length <= 3_000 && bytesOf(body) <= 4_000,
  card: (body) => bytesOf(body) <= 25_000,
  full: (body) => bytesOf(body) <= 200_000,
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Only the one field that all receivers of texts know: Slack refuses a message with an unknown one. */
const textMessage = (shown: readonly News[], leftOut: number, about: MessageAbout): string =>
  JSON.stringify({ text: [...linesOf(shown, leftOut, about), ...(about.link === undefined ? [] : [about.link])].join('\n') })

/** Adaptive Card 1.4, as the trigger of a workflow takes it. The link is the action of the card, so no text needs one. */
const cardMessage = (shown: readonly News[], leftOut: number, about: MessageAbout): string =>
  JSON.stringify({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: linesOf(shown, leftOut, about).map((text) => ({ type: 'TextBlock', text, wrap: true })),
          ...(about.link === undefined ? {} : { actions: [{ type: 'Action.OpenUrl', title: 'Open', url: about.link }] }),
        },
      },
    ],
  })

function fullMessage(shown: readonly News[], leftOut: number, { host, link, atMs }: MessageAbout): string {
  const document: NoticeDocument = {
    format: 'plane-group-sync/notice',
    version: 1,
    at: isoTime(atMs) ?? '',
    service: host,
    ...defined({ link }),
    notices: shown.map(noticeDocument),
    leftOut,
  }
  return documentLine(document)
}

function noticeDocument(news: News): NoticeDocument['notices'][number] {
  const { kind, workspace, owners } = news.notice
  const named = { news: news.news, kind, ...defined({ workspace }), what: worded(news.notice, (name) => name), owners }
  if (news.news === 'over') return named
  const { sentence, cure, row: { atMs, because, ...row } = {}, more } = news.notice
  return {
    ...named,
    sentence,
    ...(cure === '' ? {} : { cure }),
    ...defined(row),
    ...defined({ date: atMs === undefined ? undefined : isoTime(atMs), count: more, because: because && documentBecause(because) }),
  }
}

const lineCharactersMax = 700

function linesOf(shown: readonly News[], leftOut: number, { host, scrub }: MessageAbout): readonly string[] {
  const lines = [`plane-group-sync at ${host}`, ...shown.map((news) => `• ${newsText(news)}`)]
  const more = leftOut === 0 ? [] : [`and ${count(leftOut)} more: plane-group-sync status`]
  // Secrets are removed first: later they would be written with other signs.
  return [...lines, ...more].map((line) => plainWords(oneLine(scrub(line), lineCharactersMax)))
}

function newsText(news: News): string {
  const { kind, workspace } = news.notice
  const place = workspace ?? 'declaration'
  if (news.news === 'over') return `${place}, over: ${overText[kind]}: ${worded(news.notice, shownName)}`
  const { sentence, cure } = news.notice
  return `${place}${news.news === 'changed' ? ', changed' : ''}: ${sentence}${cure === '' ? '' : `; ${cure}`}`
}

/** What a fact is about, in words: `set of deletes`. */
const worded = ({ about, name }: ToldFact, show: (name: string, about: ToldFact['about']) => string): string =>
  [factSubjects[about].words, name === '' ? '' : show(name, about)].filter((part) => part !== '').join(' ')

/** The name of a fact, quoted as the names in other sentences are. Only words of this program stand without quotes, and they have no sign of a line. */
const shownName = (name: string, about: ToldFact['about']): string =>
  factSubjects[about].name === 'own' && /^[\p{L}\p{N} ,()_-]*$/u.test(name) ? name : nameText(name)

const overText: Readonly<Record<News['notice']['kind'], string>> = {
  waiting: 'no longer waits for approval',
  failed: 'no longer fails',
  'foreign-edit': 'no longer edited in Plane',
  'ends-soon': 'no longer ends soon',
}

/**
 * A text with which no receiver does anything but show it. One format is for several receivers, which escape in different ways, and Google Chat in none. So
 * each sign with a meaning for one of them is shown as another sign that looks like it.
 *
 * | sign                        | what it would make                                                                                       |
 * |-----------------------------|----------------------------------------------------------------------------------------------------------|
 * | `&`                         | an entity, so a sign of this table (Slack, Mattermost)                                                     |
 * | `<` `>`                     | `<!here>`, `<@U…>`, `<https://…｜text>` (Slack), `<users/all>` (Google Chat), `<at>` (Teams)               |
 * | `@` `#` `~`                 | mentions, hashtags, links to channels (Mattermost), struck text                                            |
 * | `[` `]` `\` `\|` `$` `` ` `` `*` `_` | links, images, tables, formulas, code, bold and italic text: a name would not be shown as it is     |
 * | `{` `}`                     | `{{DATE(…)}}` (Adaptive Cards)                                                                             |
 * | `:` before a sign           | `:tada:`, `mailto:x`                                                                                       |
 * | `//`, `.` between signs     | an address that becomes a link                                                                             |
 *
 * Sources: docs.slack.dev/messaging/formatting-message-text, docs.mattermost.com/collaborate/format-messages.html,
 * developers.google.com/workspace/chat/format-messages, learn.microsoft.com/adaptive-cards/authoring-cards/text-features.
 */
const plainWords = (text: string): string =>
  text
    .replace(/[&<>@#~[\]\\|$`*{}]/g, (sign) => lookAlikes[sign] ?? '')
    // Inside a word it formats nothing, and many names have one there.
    .replace(/(?<![\p{L}\p{N}])_/gu, '＿')
    .replace(/:(?=\S)/g, '∶')
    .replaceAll('//', '∕∕')
    .replace(/(?<=\S)[.。．｡](?=\S)/gu, '․')

const lookAlikes: Readonly<Record<string, string>> = {
  '&': '＆',
  '<': '‹',
  '>': '›',
  '@': '＠',
  '#': '＃',
  '~': '∼',
  '[': '［',
  ']': '］',
  '\\': '＼',
  '|': '∣',
  $: '＄',
  '`': 'ˋ',
  '*': '∗',
  '{': '｛',
  '}': '｝',
}
