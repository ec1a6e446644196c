import { expect, test } from 'vitest'
import { settingsOf } from '../../../src/settings/load.ts'

const file = (more = '') => Buffer.from(`version: 1\ndeclaration: groups.yaml\n${more}`)
const right = { PLANE_BASE_URL: 'https://plane.example.com', PLANE_API_KEY: 'key', PLANE_WORKSPACE_SLUG: 'acme' }

async function problems(env: Readonly<Record<string, string>>, more = ''): Promise<readonly string[]> {
  const loaded = await settingsOf('config.yaml', file(more), { ...right, ...env })
  if (loaded.valid) return []
  expect(loaded.problems.every(({ cure }) => cure !== undefined)).toBe(true)
  return loaded.problems.map(({ at, message }) => `${at.file}:${at.line} ${message}`)
}

test.each(['plane.example.com', 'https://plane.example.com ', '', 'ftp://plane.example.com', 'http://plane.example.com'])(
  'a wrong address in PLANE_BASE_URL is a problem of the variable: "%s"',
  async (baseUrl) => {
    const found = await problems({ PLANE_BASE_URL: baseUrl })
    expect(found).toEqual([expect.stringMatching(/^environment variable PLANE_BASE_URL:0 \S/)])
  },
)

test.each(['', 'acme,globex', '__proto__', ' acme', 'a/b'])(
  'a wrong slug in PLANE_WORKSPACE_SLUG is a problem of the variable: "%s"',
  async (slug) => {
    const found = await problems({ PLANE_WORKSPACE_SLUG: slug })
    expect(found).toEqual([expect.stringMatching(/^environment variable PLANE_WORKSPACE_SLUG:0 \S/)])
  },
)

test('a variable is not the place of a mistake in the file', async () => {
  expect(await problems({})).toEqual([])
  expect(await problems({}, 'service: { baseUrl: plane.example.com }\n')).toEqual(['config.yaml:3 this is not an address of HTTP'])
  expect(await problems({}, 'workspaces: { "a/b": {} }\n')).toEqual([expect.stringMatching(/^config\.yaml:3 /)])
  expect(await problems({}, 'service: { timeout: 5 }\n')).toEqual([expect.stringMatching(/^config\.yaml:3 /)])
})
