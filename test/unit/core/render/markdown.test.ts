import { expect, test } from 'vitest'
import { planMarkdown } from '../../../../src/core/render/markdown.ts'
import { at, create, face, held, refused, unsure, view } from './sample.ts'

const snapshot = (name: string) => `./snapshots/${name}.md`

test('the face as a comment on a pull request', async () => {
  await expect(`${planMarkdown([view(face)])}\n`).toMatchFileSnapshot(snapshot('face'))
})

test('a refused plan, and a workspace that failed', async () => {
  const sentence = '30 deletes (30 % of 100 owned mappings); guards.deletes.count allows 10'
  const refusal = { guard: 'deletes', count: 30, limit: 10, owned: 100, setting: 'guards.deletes.count', sentence } as const
  const whole = refused(face, [refusal])
  await expect(`${planMarkdown([whole, { about: whole.about, failed: '403 for @acme' }])}\n`).toMatchFileSnapshot(snapshot('refused'))
})

test('names are no markup, no link and nobody who gets a message', () => {
  const names = [
    'a|b',
    '`a`',
    '<img src=x>',
    '@acme/owners',
    '#12',
    '[a](https://example.com)',
    '**a**',
    'www.example.com',
    'a\n\n# b',
    '&amp;',
    '\\|',
  ]
  const whole = planMarkdown([
    view({ changes: names.map((name) => create('ENG', name, 'member', at('a.yaml:1', { reason: `${name} said so` }))) }),
  ])
  const rows = whole.split('\n').filter((line) => line.startsWith('| +'))
  expect(rows).toHaveLength(names.length)
  for (const row of rows) {
    const own = row.replaceAll(/<\/?code>/g, '').replaceAll(/&#\d+;/g, '')
    expect(own).not.toMatch(/[`<>@#[\]*\\]|www\.|https:/)
    expect(own.match(/\|/g)).toHaveLength(8)
  }
  // Outside code even an entity would call somebody: something stands between the sign and the name.
  expect(whole).toContain('&#64;&#8203;acme/owners said so')
})

test('a comment never grows beyond what GitHub takes', () => {
  const long = (n: number) => '<'.repeat(250) + String(n)
  const changes = Array.from({ length: 2000 }, (_, n) => create('ENG', long(n), 'member', at('a.yaml:1')))
  const holds = changes.flatMap((change) => [
    held(change, { kind: 'approval', why: 'protectedRole' }),
    unsure('ENG', change.key, { kind: 'groupUnknown', directories: [long(1)], mapped: true }),
  ])
  const one = view({ changes, holds })
  for (const views of [[one], Array.from({ length: 30 }, () => one)]) {
    const whole = planMarkdown(views)
    expect(whole.length).toBeLessThan(65_536)
    expect(whole).toContain('more (`--format json` shows all)')
    expect(whole.match(/<details>/g)?.length).toBe(whole.match(/<\/details>/g)?.length)
  }
})
