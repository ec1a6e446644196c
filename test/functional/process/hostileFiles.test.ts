import { mkdir, symlink } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { everyWord, hostileFiles, pay, rule } from '../../unit/declaration/hostileFiles.ts'
import { openPlace } from './program.ts'

const wrong = hostileFiles.filter(([, , seen]) => seen instanceof RegExp)
const declaration = '' // beside the folder, and unused

test('files that reach beyond their fence end the program with 78, each at a line', async () => {
  const fences = { 'teams/pay/**': pay, 'teams/words/**': everyWord, 'platform/**': 'everything' }
  await using place = await openPlace({
    declaration,
    groups: ['pay-devs'],
    settings: { declaration: './files', fences, workspaces: { globex: {} } },
  })
  await Promise.all(['pay', 'words'].map((team) => mkdir(place.path(`files/teams/${team}`), { recursive: true })))
  const files = wrong.map(([, text, , fence], index) => [`teams/${fence === everyWord ? 'words' : 'pay'}/${index}.yaml`, text] as const)
  await Promise.all(files.map(([file, text]) => place.write(`files/${file}`, text)))
  // The text shows the first problems only.
  const { code, out } = await place.run(['validate', '--format', 'json'])
  expect(code, out).toBe(78)
  const { problems } = JSON.parse(out) as { readonly problems: readonly { readonly file: string; readonly line?: number }[] }
  const named = new Set(problems.flatMap(({ file, line = 0 }) => (line > 0 ? [file.replace(/^files\//, '')] : [])))
  expect(files.map(([file]) => file).filter((file) => !named.has(file))).toEqual([])
  expect(files.length).toBeGreaterThan(25)
})

test.each<readonly [what: string, link: readonly [from: string, to: string]]>([
  ['a file', ['files/platform/more.yaml', '../teams/pay/a.yaml']],
  ['a folder', ['files/platform/more', '../teams/pay']],
  ['a folder with dots', ['files/platform/more', './.././teams/pay']],
  ['a folder outside', ['files/platform/more', '../../elsewhere']],
])('a link to %s gives no other fence', async (_what, [from, to]) => {
  const fences = { 'teams/pay/**': pay, 'platform/**': 'everything' }
  await using place = await openPlace({ declaration, groups: ['pay-devs'], settings: { declaration: './files/../files/.', fences } })
  await Promise.all(['files/teams/pay', 'files/platform', 'elsewhere'].map((path) => mkdir(place.path(path), { recursive: true })))
  await place.write('files/teams/pay/a.yaml', rule('group: pay-devs, project: PAY, role: member'))
  await place.write('elsewhere/a.yaml', rule('group: admins, project: ENG, role: admin'))
  expect((await place.run(['validate'])).code).toBe(0)
  await symlink(to, place.path(from))
  const { code, err } = await place.run(['validate'])
  expect(code).toBe(78)
  expect(err).toContain('platform/more')
})
