import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { editsMax } from '../../../src/core/memory/seen.ts'
import { count } from '../../../src/core/quantity.ts'
import type { HttpServer } from '../../../src/daemon/http.ts'
import { reportHtml } from '../../../src/render/html/report.ts'
import { hostile, hostileNames } from '../../unit/render/html/hostile.ts'
import { schemes, see, servePage, startBrowser, widths } from './browser.ts'
import { type Company, openCompany, password } from './company.ts'

let company: Company
let browser: Browser
let server: HttpServer
let axe = ''

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  company = await openCompany()
  browser = await startBrowser()
  const { last, report, edits, nowMs } = company
  server = await servePage({ last: () => last, report: () => report, edits: () => edits }, nowMs)
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
  await company?.[Symbol.asyncDispose]()
})

const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/** Each element that reaches beyond the page, also inside of a part that cuts it off. */
const tooWide = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('body *')].filter((one) => {
    const { left, right, width } = one.getBoundingClientRect()
    return width > 1 && (right > innerWidth + 0.5 || left < -0.5) && one.closest('thead') === null
  }).map((one) => one.outerHTML.slice(0, 120))`)

async function violations(page: Page): Promise<unknown> {
  await page.evaluate(axe)
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => ({ id, nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => html + failureSummary) })))`)
}

const openAll = (page: Page) => page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
const textOf = async (page: Page) => String(await page.evaluate('document.body.innerText'))
const spaced = (text: string) => text.replaceAll(/\s+/g, ' ')

describe.each(widths)('%i px wide', (width) => {
  describe.each(schemes)('%s', (colorScheme) => {
    const options = () => ({ viewport: { width, height: 900 }, colorScheme })

    test('nothing overflows, and axe-core finds nothing', async () => {
      await using seen = await see(browser, server.url, { ...options(), bypassCSP: true })
      expect(await overflow(seen.page)).toBe(0)
      expect(await tooWide(seen.page)).toEqual([])
      await openAll(seen.page)
      expect(await overflow(seen.page)).toBe(0)
      expect(await tooWide(seen.page)).toEqual([])
      expect(await violations(seen.page)).toEqual([])
    })

    test('the policy holds: the browser says nothing, and asks for nothing but the page', async () => {
      await using seen = await see(browser, server.url, options())
      await openAll(seen.page)
      await seen.page.waitForTimeout(100)
      expect(seen.said).toEqual([])
      expect(seen.asked).toEqual([`${server.url}/`])
    })

    test('names that attack are text, and do not overflow', async () => {
      await using attacked = await servedHostile()
      await using seen = await see(browser, attacked.url, { ...options(), bypassCSP: true })
      await openAll(seen.page)
      expect(await overflow(seen.page)).toBe(0)
      expect(await tooWide(seen.page)).toEqual([])
      expect(await violations(seen.page)).toEqual([])
    })
  })
})

async function servedHostile() {
  const served = await servePage({ last: () => hostile.last, report: () => hostile.report, edits: () => hostile.edits }, hostile.nowMs)
  return { url: served.url, [Symbol.asyncDispose]: served.close }
}

test('names that attack are text: no element, no script, no other direction', async () => {
  await using attacked = await servedHostile()
  await using seen = await see(browser, attacked.url)
  await openAll(seen.page)
  const text = spaced(await textOf(seen.page))
  for (const { shown } of hostileNames) expect(text).toContain(spaced(shown))
  expect(await seen.page.evaluate("document.querySelectorAll('script, img, iframe, base, form, link, [onerror], [onload]').length")).toBe(0)
  expect(await seen.page.evaluate('typeof globalThis.attacked')).toBe('undefined')
  expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b-\u200f]/)
  expect(seen.said).toEqual([])
})

test('the keyboard reaches each link and each part that opens', async () => {
  await using seen = await see(browser, server.url)
  const wanted = await seen.page.evaluate<string[]>(
    "[...document.querySelectorAll('a[href], summary')].map((one) => one.getAttribute('href') ?? one.textContent)",
  )
  expect(wanted.length).toBeGreaterThan(300)
  const reached: string[] = []
  for (let step = 0; step < wanted.length; step++) {
    await seen.page.keyboard.press('Tab')
    reached.push(String(await seen.page.evaluate("document.activeElement.getAttribute('href') ?? document.activeElement.textContent")))
  }
  expect(reached).toEqual(wanted)
})

test('a cell of the map opens the groups behind it, by the keyboard too', async () => {
  await using seen = await see(browser, server.url)
  const cell = seen.page.locator('.map a').first()
  const id = String(await cell.getAttribute('href')).slice(1)
  expect(await seen.page.locator(`#${id}`).isVisible()).toBe(false)
  await cell.focus()
  await seen.page.keyboard.press('Enter')
  expect(await seen.page.locator(`#${id}`).isVisible()).toBe(true)
  expect(await seen.page.locator('div:target').count()).toBe(1)
})

test('the page says what the documents say', async () => {
  await using seen = await see(browser, server.url)
  await openAll(seen.page)
  const text = spaced(await textOf(seen.page))
  const { last, report, edits } = company
  expect(await seen.page.locator('h1').textContent()).toBe('1 change waits for you.')
  expect(text).toContain(last.declaration.hash.slice(0, 7))
  for (const { plan } of last.workspaces) {
    if (plan.standing === 'failed') throw new Error(plan.failed)
    expect(text).toContain(`policy ${plan.policy}`)
    expect(text).toContain(`${count(plan.changes.length)} changes written`)
    for (const { sentence, reason, group, change } of plan.holds) {
      if (reason.kind !== 'undeclared') expect(text).toContain(spaced(sentence))
      expect(text).toContain(group ?? (change !== undefined && 'group' in change ? change.group : ''))
      if (change !== undefined && reason.kind === 'approval') expect(text).toContain(`plane-group-sync approve ${change.id}`)
    }
    for (const { code } of plan.findings) expect(text).toContain(code)
  }
  for (const { groups } of last.directories) expect(text).toContain(`${count(groups)} groups`)
  expect(edits).toHaveLength(editsMax)
  expect(text).toContain(`the newest ${editsMax}`)
  expect(text).toContain('All of them are of this program.')
  // Each cell has the sum of its groups, and each group stands behind its cell.
  for (const [at, { rows, workspace }] of report.workspaces.entries()) {
    expect(text).toContain(`${count(rows.length)} mappings in`)
    const cells = Map.groupBy(rows, ({ target, role }) => `${target.kind === 'project' ? target.project : target.kind} ${role}`)
    const shown = await seen.page.evaluate<number>(`[...document.querySelectorAll('#m${at} ~ .maps')][0].querySelectorAll('td a').length`)
    expect(shown).toBeGreaterThanOrEqual(cells.size)
    const sums = await seen.page.evaluate<string[]>(
      `[...[...document.querySelectorAll('#m${at} ~ .maps')][0].querySelectorAll('td a')].map((one) => one.textContent + ' ' + document.querySelector(one.getAttribute('href')).textContent)`,
    )
    for (const [cell, ofCell] of cells) {
      const sum = ofCell.reduce((total, { size }) => total + (size?.most ?? size?.least ?? 0), 0)
      const behind = sums.filter((one) => ofCell.every(({ group }) => one.includes(group)))
      expect(
        behind.some((one) => one.startsWith(`${count(sum)} `) || one.startsWith(`${count(sum)}*`) || one.startsWith(`${count(sum)}+`)),
        `${workspace} ${cell}`,
      ).toBe(true)
    }
  }
})

test('it reads the same without a style and with scripts off', async () => {
  await using seen = await see(browser, server.url)
  await using plain = await see(browser, server.url, { javaScriptEnabled: false })
  expect(await plain.page.content()).toBe(await seen.page.content())
})

test('it prints: no part is wider than the paper, and a report has its columns on each page', async () => {
  await using seen = await see(browser, server.url)
  await seen.page.emulateMedia({ media: 'print' })
  await seen.page.setViewportSize({ width: 700, height: 1000 })
  expect(await overflow(seen.page)).toBe(0)
  const pdf = await seen.page.pdf({ format: 'A4' })
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
})

/** Cells and captions of which a word is broken: more lines than places where a line may end. */
const brokenWords = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('.sheet caption, .sheet thead th, .sheet td:not(.x), .sheet tbody th:not(.x)')].filter((one) => {
    const range = document.createRange()
    const nodes = document.createTreeWalker(one, NodeFilter.SHOW_TEXT)
    while (nodes.nextNode()) for (const { 0: word, index } of nodes.currentNode.data.matchAll(/[^\\s/-]+/g)) {
      range.setStart(nodes.currentNode, index)
      range.setEnd(nodes.currentNode, index + word.length)
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) return true
    }
    return false
  }).map((one) => one.outerHTML.slice(0, 120))`)

test.each([...widths, 500, 1345])('the report as a file, %i px wide', async (width) => {
  const { style } = await import('../../../src/render/html/style.ts')
  const { createHash } = await import('node:crypto')
  const text = reportHtml(company.report, createHash('sha256').update(style).digest('base64'))
  await using seen = await see(browser, `data:text/html;charset=utf-8;base64,${Buffer.from(text).toString('base64')}`, {
    viewport: { width, height: 900 },
  })
  expect(seen.said).toEqual([])
  expect(await overflow(seen.page)).toBe(0)
  expect(await tooWide(seen.page)).toEqual([])
  expect(await brokenWords(seen.page)).toEqual([])
  // The style is in use only if the policy allows its hash.
  expect(await seen.page.evaluate("getComputedStyle(document.querySelector('.sheet')).borderCollapse")).toBe('collapse')
  expect(await seen.page.evaluate("document.querySelectorAll('.sheet tbody tr').length")).toBe(
    company.report.workspaces.reduce((sum, { rows }) => sum + rows.length, 0),
  )
})

describe('the page of the daemon', () => {
  test('a browser gets it with the password, and not without', async () => {
    await using seen = await see(browser, company.url, { httpCredentials: { username: 'anyone', password } })
    expect(await seen.page.locator('h1').textContent()).toBe('1 change waits for you.')
    expect(seen.said).toEqual([])
    expect((await fetch(company.url)).status).toBe(401)
    const wrong = { authorization: `Basic ${Buffer.from(`a:${password}x`).toString('base64')}` }
    expect((await fetch(company.url, { headers: wrong })).status).toBe(401)
  })

  test('its text is that of status --format json', async () => {
    await using seen = await see(browser, company.url, { httpCredentials: { username: '', password } })
    const text = spaced(await textOf(seen.page))
    for (const { plan } of company.last.workspaces) {
      if (plan.standing === 'failed') throw new Error(plan.failed)
      for (const { sentence, reason } of plan.holds) if (reason.kind !== 'undeclared') expect(text).toContain(spaced(sentence))
    }
  })
})
