import { mkdir, stat } from 'node:fs/promises'
import { see, servePage, startBrowser } from '../test/functional/browser/browser.ts'
import { openCompany } from '../test/functional/browser/company.ts'

/** Takes the pictures of docs/page.md anew: the page of the example company. */
const pictures = [
  { file: 'docs/images/page-light.png', width: 1400, height: 1900, scheme: 'light', at: undefined },
  { file: 'docs/images/page-dark.png', width: 800, height: 1200, scheme: 'dark', at: '#map' },
  { file: 'docs/images/page-phone.png', width: 360, height: 780, scheme: 'light', at: undefined },
] as const

await mkdir('docs/images', { recursive: true })
await using company = await openCompany()
const { report, edits, nowMs } = company
// The port of the sandbox is another one each time.
const last = { ...company.last, service: { ...company.last.service, host: 'plane.example.com' } }
const server = await servePage({ last: () => last, report: () => report, edits: () => edits }, nowMs)
const browser = await startBrowser()
try {
  for (const { file, width, height, scheme, at } of pictures) {
    await using seen = await see(browser, server.url, { viewport: { width, height }, colorScheme: scheme })
    if (at !== undefined) await seen.page.evaluate(`document.querySelector('${at}').scrollIntoView()`)
    await seen.page.screenshot({ path: file })
    process.stdout.write(`${file} ${Math.round((await stat(file)).size / 1000)} kB\n`)
  }
} finally {
  await browser.close()
  await server.close()
}
