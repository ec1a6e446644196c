import { mkdir, rename } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { ReportDocument } from '../../../src/documents/report.ts'
import { openPlace, type Place } from './program.ts'
import { started } from './startedDaemon.ts'

const file = (rules: string, more = '') => `version: 1\nworkspaces:\n  acme:\n    projectRoles:\n${rules}    ${more}\n`
const teams = {
  'groups/eng.yaml': file('      - { group: eng-g3, project: ENG, role: member, reason: ACC-3 }\n'),
  'groups/ops.yaml': file('      - { group: ops-g1, project: OPS, role: guest }\n', 'workspaceRoles: []'),
}

async function openTeams(more: Readonly<Record<string, string>> = {}): Promise<Place> {
  const place = await openPlace({ declaration: '', groups: ['eng-g3', 'ops-g1'], settings: { declaration: 'groups' } })
  await mkdir(place.path('groups'))
  for (const [name, text] of Object.entries({ ...teams, ...more })) await place.write(name, text)
  return place
}

const wordsOf = (text: string) => text.replaceAll(/\s+/g, ' ')
async function explained(place: Place, ...question: readonly string[]) {
  const { code, out, err } = await place.run(['explain', 'acme', ...question])
  return { code, out: wordsOf(out), err: wordsOf(err) }
}
async function reported(place: Place) {
  const { code, out, err } = await place.run(['report', '-o', 'json'])
  const [acme] = (JSON.parse(out) as ReportDocument).workspaces
  return {
    code,
    err: wordsOf(err),
    rows: acme?.rows.map(({ group, role, standing, because }) => `${group} ${role} ${standing} ${because?.at.file}:${because?.at.line}`),
  }
}
/** What the daemon says of its last cycle. */
const statusOf = async (place: Place) => wordsOf((await place.run(['status'])).out)

test('of an invalid file the last valid text is in use, as the daemon uses it', async () => {
  await using place = await openTeams()
  const { cycle, stop } = await started(place)
  await place.write('groups/eng.yaml', file('      - { group: eng-g3, project: ENG, rol: guest }\n'))
  await cycle()
  const kept = 'Invalid: eng.yaml. The last valid text stays in use'
  expect(await statusOf(place)).toContain('The last valid text stays in use')
  const { code, out, err } = await explained(place, 'ENG', 'eng-g3')
  expect([code, err]).toEqual([0, expect.stringContaining(kept)])
  expect(out).toContain('eng-g3 has member in ENG: eng.yaml:5 gives it.')
  expect(out).toContain(kept)
  expect(out).toContain('"ACC-3"')
  expect(out).not.toMatch(/Held|Nothing of it is used/)
  expect(await reported(place)).toEqual({
    code: 0,
    err: expect.stringContaining(kept),
    rows: ['eng-g3 member declared eng.yaml:5', 'ops-g1 guest declared ops.yaml:5'],
  })
  await stop()
})

test('while the folder of the declaration is gone, the text in its memory is explained', async () => {
  await using place = await openTeams()
  const { cycle, stop } = await started(place)
  await rename(place.path('groups'), place.path('elsewhere'))
  await cycle()
  const { code, out } = await explained(place, 'ENG', 'eng-g3')
  expect([code, out]).toEqual([0, expect.stringContaining('eng-g3 has member in ENG: eng.yaml:5 gives it.')])
  expect(await reported(place)).toMatchObject({ code: 0, rows: ['eng-g3 member declared eng.yaml:5', 'ops-g1 guest declared ops.yaml:5'] })
  await stop()
})

test.each([
  ['refuses the token', 401, 'application/json', '{}', /401, the token is refused/],
  ['answers with a page', 200, 'text/html', '<html><title>Sign in</title></html>', /is not whole JSON \(text\/html\)/],
])('a directory that %s is shown with this reason', async (_, status, type, body, reason) => {
  const server = createServer((_request, response) => response.writeHead(status, { 'content-type': type }).end(body))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/scim/v2`
  await using place = await openTeams()
  await place.settings({ directories: { corp: { kind: 'scim', url, token: { env: 'TOKEN' } } } })
  const { stop } = await started(place, { env: { TOKEN: 'token-of-a-test' } })
  try {
    const { out, err } = await explained(place, 'ENG', 'eng-g3')
    const plan = wordsOf((await place.run(['plan'], { env: { TOKEN: 'token-of-a-test' } })).out)
    expect(plan).toMatch(reason)
    for (const text of [out, err, (await reported(place)).err]) {
      expect(text).toMatch(reason)
      expect(text).not.toContain('recording')
    }
  } finally {
    await stop()
    server.close()
  }
})

test('what no rule is about is not read, and is not said to be in a recording', async () => {
  await using place = await openTeams({ 'groups/ops.yaml': file('      - { group: ops-g1, project: OPS, role: guest }\n') })
  const { stop } = await started(place)
  const { code, out } = await explained(place, 'workspace', 'eng-g3')
  expect([code, out]).toEqual([1, expect.stringContaining('the mappings were not read whole: the daemon has not read it')])
  await stop()
})

test('while Plane gives no list, its reason is shown', async () => {
  await using place = await openTeams()
  const { cycle, stop } = await started(place)
  await place.sandbox[Symbol.asyncDispose]()
  await cycle()
  const { code, err } = await explained(place, 'ENG', 'eng-g3')
  expect([code, err]).toEqual([1, expect.stringMatching(/project mappings cannot be read: cannot connect/)])
  const { code: exit, out } = await place.run(['report'])
  expect([exit, wordsOf(out)]).toEqual([1, expect.stringMatching(/project mappings cannot be read: cannot connect/)])
  await stop()
})

test('an explanation says how many people a change is about, as the daemon has counted them', async () => {
  await using place = await openTeams()
  await place.write('directory.yaml', {
    groups: [
      { name: 'eng-g3', members: ['ann', 'ben'] },
      { name: 'ops-g1', members: ['cat'] },
    ],
  })
  await place.settings({ suspend: true })
  const { stop } = await started(place)
  const { out } = await explained(place, 'ENG', 'eng-g3')
  expect(out).toMatch(/2 people/)
  expect(out).not.toMatch(/ann|ben/)
  await stop()
})
