import { expect, test } from 'vitest'
import { openPlace } from './program.ts'

const declaration = { version: 1, workspaces: { acme: { projectRoles: [{ groupGlob: 'dev*', project: 'ENG', role: 'member' }] } } }

test.each(['export', 'export --undeclared'])(
  '%s without an answer of Plane says what to check, and prints no declaration',
  async (verb) => {
    await using place = await openPlace({ declaration, groups: ['devs'] })
    const cases: readonly (readonly [what: string, settings: object, env: Record<string, string>, cure: string])[] = [
      ['no connection', { service: { baseUrl: 'http://127.0.0.1:9' } }, { PLANE_BASE_URL: '' }, 'check service.baseUrl, that Plane runs'],
      ['a wrong key', {}, { PLANE_API_KEY: 'a-wrong-key' }, 'make a new key'],
      ['an unknown workspace', { workspaces: { acme: { slug: 'acne' } } }, {}, 'check the workspace slug "acne"'],
    ]
    for (const [what, settings, env, cure] of cases) {
      await place.settings(settings)
      const { code, out, err } = await place.run([...verb.split(' '), '--log-format', 'pretty'], { env })
      expect([code, out], what).toEqual([1, ''])
      expect(err, what).toMatch(new RegExp(`^\\S.*cannot be read: .*\\n  .*${cure}.*\\n$`))
    }
  },
)

test('export --undeclared with a pattern and a directory that cannot be read: says which, and the next step', async () => {
  await using place = await openPlace({ declaration, groups: ['devs'], settings: { directories: { corp: { path: 'missing.yaml' } } } })
  const { code, out, err } = await place.run(['export', '--undeclared', '--log-format', 'pretty'])
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/^not exported: corp could not be read whole.*missing\.yaml.*\n {2}repair this, then export again\n$/)
})

test('group-sync settings that Plane does not give: plan says what to check', async () => {
  const groupSync = { version: 1, workspaces: { acme: { groupSync: { autoRemove: false } } } }
  await using place = await openPlace({ declaration: groupSync, groups: ['devs'], sandbox: { faults: ['GET config: 403'] } })
  const { code, err } = await place.run(['plan'])
  expect(code).toBe(1)
  expect(err).toMatch(/the group-sync settings cannot be read: .*\n {2}\S.*\n$/)
})
