import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Health } from './progress.ts'

/** The sources of the pages. */
export type HttpPages = {
  readonly healthy: () => Health
  readonly ready: () => Health
  readonly metrics: () => Promise<{ readonly contentType: string; readonly body: string }>
  /** Called with the error of a page that could not be made. The response does not contain the error. */
  readonly onError: (error: unknown) => void
}

/** `compressed`: the text is long, and a client that asks for it gets it compressed. */
export type HttpPage = {
  readonly status: number
  readonly contentType: string
  readonly body: Buffer
  readonly compressed?: () => Promise<Buffer>
}

/** `isLong`: only so many answers with this page are under way at the same time. */
type Maker = { readonly make: () => HttpPage | Promise<HttpPage>; readonly isLong?: true }
/** The pages by their paths. */
export type Makers = ReadonlyMap<string, Maker>

const gzipped = promisify(gzip)

export function makersOf({ healthy, ready, metrics }: HttpPages): Makers {
  return new Map<string, Maker>([
    ['/', { make: () => plainPage(200, index) }],
    ['/healthz', { make: () => probe(healthy()) }],
    ['/readyz', { make: () => probe(ready()) }],
    ['/metrics', { make: together(async () => metricsPage(await metrics())), isLong: true }],
  ])
}

function metricsPage({ contentType, body: said }: { readonly contentType: string; readonly body: string }): HttpPage {
  const body = Buffer.from(said)
  let made: Promise<Buffer> | undefined
  return { status: 200, contentType, body, compressed: () => (made ??= gzipped(body)) }
}

/** The calls that come while one runs get its result. So clients that ask at the same time cost one page. */
function together<T>(make: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () =>
    (running ??= make().finally(() => {
      running = undefined
    }))
}

const index = 'plane-group-sync\n\n/healthz  is progress being made?\n/readyz   was a cycle attempted?\n/metrics  for Prometheus'
export const plainPage = (status: number, body: string): HttpPage => ({
  status,
  contentType: 'text/plain; charset=utf-8',
  body: Buffer.from(`${body}\n`),
})
const probe = ({ ok, reason }: Health): HttpPage => plainPage(ok ? 200 : 503, `${ok ? 'ok' : 'not ok'}: ${reason}`)

/** The answer if too many others with a long page are under way. */
export const tooManyAsk: HttpPage = plainPage(503, 'too many ask for this page now; ask again in a second')
