import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { type HttpServer, serveHttp } from '../../../src/daemon/http.ts'
import { openPage, type PageSources } from '../../../src/daemon/page.ts'

export const widths = [360, 800, 1400] as const
export const schemes = ['light', 'dark'] as const

/** Debian's Chromium. `.ci/run` installs it. */
export const startBrowser = (): Promise<Browser> => chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })

/** Serves a page of these documents for everyone on this machine, by the server of the daemon. */
export const servePage = (sources: Omit<PageSources, 'scrub'>, nowMs: number): Promise<HttpServer> =>
  serveHttp('127.0.0.1:0', {
    healthy: () => ({ ok: true, reason: '' }),
    ready: () => ({ ok: true, reason: '' }),
    metrics: async () => ({ contentType: 'text/plain', body: '' }),
    onError: (error) => {
      throw error
    },
    page: openPage({
      settings: { open: true, hosts: [] },
      password: async () => '',
      sources: { ...sources, scrub: (text) => text },
      wall: () => nowMs,
      now: () => nowMs,
    }),
  })

/** A page that is open, with all that the browser said of it. */
export type Seen = AsyncDisposable & { readonly page: Page; readonly said: readonly string[]; readonly asked: readonly string[] }

export async function see(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Seen> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options })
  const page = await context.newPage()
  const [said, asked]: string[][] = [[], []]
  page.on('console', (message) => said?.push(message.text()))
  page.on('pageerror', (error) => said?.push(String(error)))
  page.on('request', (request) => asked?.push(request.url()))
  await page.goto(url)
  return { page, said: said ?? [], asked: asked ?? [], [Symbol.asyncDispose]: () => context.close() }
}
