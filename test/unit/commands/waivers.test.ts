import { expect, test } from 'vitest'
import { requireOpenDoor, waiversOf } from '../../../src/commands/allowOption.ts'
import { giverText, type Waiver } from '../../../src/core/waiver.ts'

const id = '2e6e3a15d68fd23db9b06e6eb306ed68'

test('--by is the name before that of the environment, and each has the account of the process', () => {
  const [waiver] = waiversOf({ allow: [id], by: ' Ann Lee ' }, { env: { USER: 'root' } })
  expect(waiver).toMatchObject({ by: 'Ann Lee', account: expect.stringMatching(/uid \d+/) })
  expect(giverText(waiver as Waiver)).toMatch(/^Ann Lee \(.*uid \d+\)?\)$/)
})

test.each([' ', 'x'.repeat(501), ''])('--by %j is no name', (by) => {
  expect(() => waiversOf({ allow: [id], by }, { env: {} })).toThrow('--by takes the name of a person')
})

test.each([['any'], ['files-only']] as const)('with approvals: %s', (approvals) => {
  const given = waiversOf({ allow: [id] }, { env: {} })
  const open = () => requireOpenDoor(given, { approvals })
  if (approvals === 'any') open()
  else expect(open).toThrow('--allow is refused: by the setting approvals: files-only')
  requireOpenDoor([], { approvals })
})

test.each([
  ['ann', { USER: 'ann' }],
  ['operator', { USER: '' }],
  ['operator', {}],
])('--allow is recorded as an approval by %s', (by, env) => {
  expect(waiversOf({ allow: [id] }, { env }).map((one) => one.by)).toEqual([by])
})
