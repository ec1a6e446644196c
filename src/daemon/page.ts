import { createHash, hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Edit } from '../core/memory/seen.ts'
import { count, counted } from '../core/quantity.ts'
import { nameInLine } from '../core/safeName.ts'
import type { LastDocument } from '../documents/last.ts'
import type { ReportDocument } from '../documents/report.ts'
import type { RunningDocument } from '../documents/running.ts'
import { pageHtml } from '../render/html/page.ts'
import { pagePolicy, style } from '../render/html/style.ts'
import { isPageHost, type PageSettings } from '../settings/page.ts'
import { guesserAt, openGuesses, openWrongs, type Wrongs } from './guesses.ts'

/**
 * What the page shows. A part that is absent, or returns undefined, is left out. `scrub` takes secrets out of a text. `onWrong` is told of wrong passwords, at
 * most once a minute.
 */
export type PageSources = {
  readonly scrub: (text: string) => string
  readonly onWrong?: ((wrongs: Wrongs, sentence: string) => void) | undefined
  readonly last: () => LastDocument | undefined
  readonly report?: () => ReportDocument | undefined
  readonly running?: () => RunningDocument | undefined
  readonly edits?: () => readonly Edit[] | undefined
}

/** The page for people. */
export type ServedPage = {
  readonly headers: Readonly<Record<string, string>>
  readonly html: () => string
  /** Why a request does not get it; undefined if it does. */
  readonly refusal: (request: IncomingMessage) => Promise<PageRefusal | undefined>
  /** Tells of the wrong passwords that have not been told yet. */
  readonly close: () => void
}
type PageRefusal = { readonly status: number; readonly text: string; readonly headers?: Readonly<Record<string, string>> }

/** @param password its present value, read again when it may have changed */
type PageOptions = {
  readonly settings: PageSettings
  readonly password: () => Promise<string>
  readonly sources: PageSources
  /** By the date, and by a steady clock; epoch ms. */
  readonly wall: () => number
  readonly now: () => number
}

export function openPage({ settings, password, sources, wall, now }: PageOptions): ServedPage {
  const last = withoutSecrets(sources.last, sources.scrub)
  const report = withoutSecrets(sources.report, sources.scrub)
  const running = withoutSecrets(sources.running, sources.scrub)
  const edits = withoutSecrets(sources.edits, sources.scrub)
  return {
    headers: pageHeaders,
    html: () => pageHtml({ last: last(), report: report(), running: running(), edits: edits(), nowMs: wall() }),
    ...('open' in settings
      ? { refusal: async (request) => otherHost(request, settings.hosts), close: () => undefined }
      : passwordOnly({ password, now, onWrong: sources.onWrong }, settings.behindTls)),
  }
}

/** A source whose texts are scrubbed, each by itself, so that no secret can be cut out of the markup. What has not changed is not scrubbed again. */
function withoutSecrets<T>(source: (() => T | undefined) | undefined, scrub: PageSources['scrub']): () => T | undefined {
  let kept: { readonly from: T | undefined; readonly shown: T | undefined } | undefined
  return () => {
    const from = source?.()
    if (kept === undefined || kept.from !== from) kept = { from, shown: scrubbed(from, scrub) as T | undefined }
    return kept.shown
  }
}

function scrubbed(value: unknown, scrub: PageSources['scrub']): unknown {
  if (typeof value === 'string') return scrub(value)
  if (Array.isArray(value)) return value.map((item) => scrubbed(item, scrub))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, scrubbed(field, scrub)]))
}

/** Only a header can forbid frames. */
const pageHeaders = {
  'content-security-policy': `${pagePolicy(hash('sha256', style, 'base64')).toString()}; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const

const otherHost = ({ headers }: IncomingMessage, hosts: readonly string[]): PageRefusal | undefined =>
  isPageHost(headers.host, hosts)
    ? undefined
    : { status: 403, text: 'this page is not answered under this name; http.page.hosts names those that are' }

/** HTTP Basic with any user name (RFC 7617). */
function passwordOnly(
  { password, now, onWrong }: Pick<PageOptions, 'password' | 'now'> & Pick<PageSources, 'onWrong'>,
  isBehindProxy: boolean,
): Pick<ServedPage, 'refusal' | 'close'> {
  const guesses = openGuesses(now)
  const wrongs = openWrongs((counts) => onWrong?.(counts, wrongsText(counts)), now)
  return {
    async refusal(request) {
      const given = passwordIn(request.headers.authorization)
      if (given === undefined) return unknownClient
      const right = await password()
      const client = clientOf(request, isBehindProxy)
      const guess = guesses.guess(client, () => isEqual(given, right))
      if (guess.is === 'right') return undefined
      wrongs.count(client, guess.is)
      return guess.is === 'wrong' ? unknownClient : tooSoon(guess.waitMs)
    },
    close: wrongs.close,
  }
}

const tooSoon = (waitMs: number): PageRefusal => ({
  status: 429,
  text: 'too many wrong passwords; ask again in a second',
  headers: { 'retry-after': `${Math.ceil(waitMs / 1000)}` },
})

/** `12 wrong passwords for the page, and 3 that were not compared, from 203.0.113.7` */
function wrongsText({ compared, tooSoon, client, clients }: Wrongs): string {
  const more = tooSoon === 0 ? '' : `, and ${count(tooSoon)} that ${tooSoon === 1 ? 'was' : 'were'} not compared`
  const others = clients === 1 ? '' : ` and ${counted(clients - 1, 'other client')}`
  return `${counted(compared, 'wrong password')} for the page${more}, from ${nameInLine(client)}${others}`
}

const unknownClient: PageRefusal = {
  status: 401,
  text: 'this page needs a password; any user name',
  headers: { 'www-authenticate': 'Basic realm="plane-group-sync", charset="UTF-8"' },
}

function passwordIn(header = ''): string | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(header) ?? []
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : text.slice(colon + 1)
}

/** The time of the comparison says nothing about the texts, nor about their lengths. */
const isEqual = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Who guesses. A proxy adds the address of its client at the end of `X-Forwarded-For`, some with its port; what stands before it may be invented.
 */
function clientOf({ headers, socket }: IncomingMessage, isBehindProxy: boolean): string {
  const forwarded = isBehindProxy ? [headers['x-forwarded-for'] ?? ''].flat().join().split(',').at(-1)?.trim() : ''
  return guesserAt((forwarded === '' ? undefined : forwarded) ?? socket.remoteAddress ?? '')
}
