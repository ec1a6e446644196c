import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join, posix } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { groups } from '../../../scripts/site/pages.ts'
import { schemes, see, startBrowser } from './browser.ts'

const root = join(import.meta.dirname, '../../..')
const site = join(root, 'site')
const pages = groups.flatMap((group) => group.pages)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }

let browser: Browser
let server: Server
let origin = ''
let axe = ''

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['scripts/site.ts'], { cwd: root, maxBuffer: 16_000_000 })
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const path = join(site, posix.normalize(decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname)))
    const type = types[posix.extname(path)]
    if (!existsSync(path) || type === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': type }).end(readFileSync(path))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await startBrowser()
}, 600_000)

afterAll(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
})

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

const addressOf = (name: string): string => `${origin}/${name}.html`

async function violations(page: Page): Promise<unknown> {
  await page.evaluate(axe)
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => ({ id, count: nodes.length, nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => html + failureSummary) })))`)
}

describe.each(schemes)('%s', (colorScheme) => {
  test.each(pages)('%s: axe-core finds nothing, the browser says nothing, and nothing is asked of another host', async (name) => {
    await using seen = await see(browser, addressOf(name), { colorScheme })
    await seen.page.waitForLoadState('networkidle')
    expect(await seen.page.evaluate("document.documentElement.classList.contains('dark')")).toBe(colorScheme === 'dark')
    expect(await violations(seen.page)).toEqual([])
    expect(seen.said).toEqual([])
    expect(seen.asked.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'))).toEqual([])
  })
})

test.each([360, 1400])('no page is wider than a window of %i px', async (width) => {
  await using seen = await see(browser, addressOf('index'), { viewport: { width, height: 900 } })
  for (const name of pages) {
    await seen.page.goto(addressOf(name))
    const overflow = await seen.page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(overflow, name).toBe(0)
  }
})

test('the switch makes the site dark, and it stays dark on the next page', async () => {
  await using seen = await see(browser, addressOf('operations'), { colorScheme: 'light' })
  await seen.page.locator('.VPNavBarAppearance .VPSwitchAppearance').click()
  const isDark = () => seen.page.evaluate("document.documentElement.classList.contains('dark')")
  expect(await isDark()).toBe(true)
  await seen.page.goto(addressOf('guards'))
  expect(await isDark()).toBe(true)
})

test('the search finds a message, and leads to its section', async () => {
  await using seen = await see(browser, addressOf('index'))
  await seen.page.locator('#local-search button').click()
  await seen.page.locator('#localsearch-input').fill('the service refuses the credential')
  const first = seen.page.locator('.VPLocalSearchBox .result').first()
  await first.waitFor()
  const found = await seen.page
    .locator('.VPLocalSearchBox .result')
    .evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href))
  expect(found.slice(0, 3).join(' ')).toMatch(/(?:messages|operations)\.html#/)
  await first.click()
  await seen.page.waitForURL(/#/)
  expect(seen.asked.filter((url) => !url.startsWith(`${origin}/`))).toEqual([])
})

test('each link leads to a file of the site, and to an anchor that is there', () => {
  const texts = new Map(pages.map((name) => [`/${name}.html`, readFileSync(join(site, `${name}.html`), 'utf8')]))
  const dead = [...texts].flatMap(([here, text]) =>
    [...text.matchAll(/\s(?:href|src)="([^"]+)"/g)].flatMap(([, raw = '']) => {
      const url = new URL(raw.replaceAll('&amp;', '&'), `http://site.invalid${here}`)
      if (url.host !== 'site.invalid') return []
      const path = url.pathname.endsWith('/') ? `${url.pathname}index.html` : url.pathname
      if (!existsSync(join(site, path))) return `${here}: ${raw}`
      const target = texts.get(path)
      const id = decodeURIComponent(url.hash.slice(1))
      return target === undefined || id === '' || target.includes(`id="${id}"`) ? [] : `${here}: ${raw}`
    }),
  )
  expect(dead).toEqual([])
})

test('the site is of one version, that of this program', async () => {
  await using seen = await see(browser, addressOf('index'))
  expect(await seen.page.locator('.VPNavBarTitle').innerText()).toContain(`plane-group-sync ${version}`)
  expect(existsSync(join(site, version))).toBe(false)
})
