import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { follow } from './running.ts'

const root = join(import.meta.dirname, '../../..')

test('a month of a company goes as docs/month.md tells it', { timeout: 600_000 }, async () => {
  const { NO_COLOR: _colours, ...env } = process.env
  await using month = follow(spawn(process.execPath, ['scripts/month.ts'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] }))
  const { code, out, err } = await month.ended
  expect([code, err]).toEqual([0, ''])
  const page = await readFile(join(root, 'docs/month.md'), 'utf8')
  expect(timeless(out), 'write the page: npm run --silent month > docs/month.md').toBe(timeless(page))
})

/** Replaces what differs from run to run, and the breaks of lines, which depend on it. */
const timeless = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replaceAll(/\b[0-9a-f]{32}\b/g, 'ID')
    .replaceAll(/\bplan [0-9a-f]{8}\b/g, 'plan FINGERPRINT')
    .replaceAll(/process \d+ on \S+/g, 'process PID on HOST')
    .replaceAll(/ by ann \(.*?\): ID/g, ' by ann (ACCOUNT): ID')
    .replaceAll(/[\d,]+ of 6,000 requests/g, 'N of 6,000 requests')
    .replaceAll(/\d+ (?:d|h|min|s)(?: \d+ (?:h|min|s))?\b/g, 'TIME')
    .replaceAll(/\d\d:\d\d(?::\d\d)? UTC/g, 'MOMENT UTC')
    .replaceAll(/the next (?:is due|begins in TIME or earlier)/g, 'the next comes')
    // The width of a column of the table, too, is what the text in it needs.
    .replaceAll(/-{3,}/g, '---')
    .replaceAll(' ', '\n')
