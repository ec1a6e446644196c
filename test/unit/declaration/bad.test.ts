import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Context } from '../../../src/declaration/understand.ts'
import { parseDeclaration } from './parseDeclaration.ts'

const folder = new URL('bad/', import.meta.url)
const context: Context = {
  workspaces: ['acme', 'globex'],
  directories: ['corp'],
  roles: ['guest', 'member', 'admin'],
  defaults: { unknownGroups: 'hold', unknownProjects: 'hold' },
  waiverFiles: ['waivers.yaml'],
  dateMs: Date.parse('2026-01-02'),
}

/** Each file has its message beside it, as an operator sees it. */
describe('a wrong declaration is refused with', () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml'))) {
    test(file, async () => {
      const loaded = parseDeclaration({ files: [{ file, bytes: readFileSync(new URL(file, folder)) }], hash: '' }, context)
      expect(loaded.valid).toBe(false)
      if (!loaded.valid) await expect(`${loaded.text}\n`).toMatchFileSnapshot(`bad/${file.replace('.yaml', '.txt')}`)
    })
  }
})
