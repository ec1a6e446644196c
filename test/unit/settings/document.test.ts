import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { settingsOf } from '../../../src/settings/load.ts'
import { problemAt } from '../../../src/yaml/document.ts'

const text = `version: 1
service: { baseUrl: "https://plane.example.com", credential: { apiKey: { env: KEY } } }
workspaces: { acme: {} }
declaration: groups
`

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

test('the places of the settings are kept only until memory is needed, and then parsed again', async () => {
  const loaded = await settingsOf('config.yaml', Buffer.from(text), {})
  if (!loaded.valid) throw new Error('the settings are valid')
  const lineOf = () => problemAt(loaded.document(), ['workspaces', 'acme'], 'a problem').at.line
  const first = new WeakRef(loaded.document())
  expect(lineOf()).toBe(3)
  // A weak reference keeps its object until the end of the turn in which it was read.
  await new Promise(setImmediate)
  collect()
  expect(first.deref()).toBeUndefined()
  expect(lineOf()).toBe(3)
})
