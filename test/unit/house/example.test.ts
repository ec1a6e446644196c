import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { policyNotes } from '../../../src/settings/check.ts'
import { loadSettings } from '../../../src/settings/load.ts'
import { type Settings, settingsSchema } from '../../../src/settings/schema.ts'
import { parseDeclaration } from '../declaration/parseDeclaration.ts'
import { root } from './files.ts'

const example = join(root, 'config/config.yaml')

async function settingsOf(file: string): Promise<Settings> {
  const loaded = await loadSettings(file, {})
  if (!loaded.valid) throw new Error(loaded.text)
  return loaded.settings
}

test('the annotated example shows every setting of the top level', async () => {
  const text = await readFile(example, 'utf8')
  // A setting without a default is in a comment; so is the policy, since a written default has a note.
  const shown = [...text.matchAll(/^(?:# (?=[a-z]+:$|policy: |fencesFile: ))?([a-zA-Z]+):/gm)].map(([, name]) => name as string)
  expect(shown.toSorted()).toEqual(Object.keys(settingsSchema.shape).toSorted())
})

test('what it shows beyond the necessary are the defaults', async () => {
  const { service, workspaces, declaration, directories: _, ...shown } = await settingsOf(example)
  const least = settingsSchema.parse({ version: 1, service: { baseUrl: service.baseUrl }, workspaces, declaration })
  const { service: leastService, ...rest } = least
  expect({ ...rest, ...shown }).toEqual(rest)
  expect(service).toEqual({ ...leastService, credential: service.credential })
})

test('it has no note about its own words', async () => {
  const loaded = await loadSettings(example, {})
  expect(loaded.valid ? policyNotes(loaded.document()) : loaded.text).toEqual([])
})

test('the declaration of the README is valid', async () => {
  const [, yaml = ''] = /^```yaml\n([\s\S]*?)^```/m.exec(await readFile(join(root, 'README.md'), 'utf8')) ?? []
  const defaults = { unknownGroups: 'hold', unknownProjects: 'hold' } as const
  const files = [{ file: 'README.md', bytes: new TextEncoder().encode(yaml) }]
  const loaded = parseDeclaration({ files, hash: '' }, { workspaces: ['acme'], directories: ['corp'], defaults })
  expect(loaded.valid ? '' : loaded.text).toBe('')
})
