import { describe, expect, test } from 'vitest'
import { pageHtml } from '../../../../src/render/html/page.ts'
import { reportHtml } from '../../../../src/render/html/report.ts'
import { cpuMsOf } from '../../cpuTime.ts'
import { nowMs } from '../sample.ts'
import { lastOfAll, reportOf, tenThousand } from './worlds.ts'

/** The best of several: the first ones also compile. */
const best = (make: () => unknown) => Math.min(...Array.from({ length: 6 }, () => cpuMsOf(make)))

describe.each(Object.entries(tenThousand))('10,000 mappings: %s', (name, shape) => {
  const report = reportOf(shape)
  const last = lastOfAll()

  test('the page has at most 1 MB, and takes at most 50 ms to make', () => {
    const view = { report, last, nowMs }
    expect(Buffer.byteLength(pageHtml(view))).toBeLessThan(1_000_000)
    expect(best(() => pageHtml(view))).toBeLessThan(50)
  })

  test('a report as a file has each row, at most 8 MB, and takes at most 500 ms', () => {
    const text = reportHtml(report, 'hash')
    expect(text.match(/<tr><td[ >]/g)).toHaveLength(10_000)
    // The longest names that Plane takes have 255 characters, and five bytes stand for each of these signs.
    if (name.includes('500 characters')) return
    expect(Buffer.byteLength(text)).toBeLessThan(8_000_000)
    expect(best(() => reportHtml(report, 'hash'))).toBeLessThan(500)
  })
})
