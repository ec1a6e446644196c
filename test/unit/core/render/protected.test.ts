import { expect, test } from 'vitest'
import { planMarkdown } from '../../../../src/core/render/markdown.ts'
import { plansText } from '../../../../src/core/render/text.ts'
import { at, create, view } from './sample.ts'

const projects = ['API', 'PAY', 'WEB', ...Array.from({ length: 122 }, (_, n) => `P${n}`)]
const guests = projects.map((project) => create(project, 'auditors', 'guest', { people: 4, ...at('teams/audit.yaml:7') }))
const admin = create('WEB4', 'contractors-all', 'admin', {
  people: 160,
  allowProtected: true,
  ...at('teams/zz.yaml:6', { owner: 'team-web' }),
})

/** Last in the order of writing, and of the only role that matters. */
const buried = view({ changes: [...guests, admin] })

test('one protected grant among many others comes first, as text', async () => {
  await expect(`${plansText([buried], { colour: false, width: 80 })}\n`).toMatchFileSnapshot('./snapshots/protected-80.txt')
  expect(plansText([buried], { colour: false, width: 80 })).toMatch(/Will be applied \(126\)\n {2}‼ WEB4 {2}contractors-all → admin/)
})

test('one protected grant among many others comes first, as Markdown', async () => {
  await expect(`${planMarkdown([buried])}\n`).toMatchFileSnapshot('./snapshots/protected.md')
  expect(planMarkdown([buried])).toMatch(/\|---\|\n\| ‼ \| <code>WEB4<\/code> \| <code>contractors-all<\/code> \| <code>→ admin<\/code>/)
})
