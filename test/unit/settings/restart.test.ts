import { expect, test } from 'vitest'
import { needsRestart } from '../../../src/settings/restart.ts'
import { settingsSchema } from '../../../src/settings/schema.ts'
import { serviceOf } from '../../../src/settings/service.ts'
import { everySetting } from './everySetting.ts'

const inUse = settingsSchema.parse(everySetting)
const edited = { ...inUse, service: { ...inUse.service, baseUrl: 'https://other.example.com' } }

test('another host needs another folder only if the journal belongs to a service already', () => {
  const { host } = serviceOf(inUse)
  const sentence = `this process still works with the service at ${host}, not at other.example.com: to use the edited settings, restart it`
  expect(needsRestart(inUse, edited, undefined)).toBe(sentence)
  expect(needsRestart(inUse, edited, serviceOf(inUse))).toBe(`${sentence} with another journal.folder`)
  expect(needsRestart(inUse, inUse, serviceOf(inUse))).toBeUndefined()
})

test('a workspace that an edit removed cannot come back with another slug: the journal remembers the first one', () => {
  const { host } = serviceOf(inUse)
  const confirmed = { host, slugs: { gone: 'gone' } }
  const back = { ...inUse, workspaces: { ...inUse.workspaces, gone: { slug: 'other' } } }
  expect(needsRestart(inUse, back, confirmed)).toBe(
    'the journal of this process is about a workspace gone with the slug "gone", not "other": to use the edited settings, restart it with another journal.folder',
  )
  expect(needsRestart(inUse, { ...back, workspaces: { ...inUse.workspaces, gone: {} } }, confirmed)).toBeUndefined()
})
