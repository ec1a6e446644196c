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
  expect(needsRestart(inUse, edited, false)).toBe(sentence)
  expect(needsRestart(inUse, edited, true)).toBe(`${sentence} with another journal.folder`)
  expect(needsRestart(inUse, inUse, true)).toBeUndefined()
})

test('another slug of a workspace needs no restart: each cycle finds out whether it is the same workspace', () => {
  const renamed = { ...inUse, workspaces: { ...inUse.workspaces, acme: { slug: 'other' } } }
  expect(needsRestart(inUse, renamed, true)).toBeUndefined()
})
