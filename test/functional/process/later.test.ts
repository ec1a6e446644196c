import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPlace, stateOf } from './program.ts'

const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const staff = { group: 'all-staff', role: 'admin', starts: day(1) }
const declared = (...workspaceRoles: readonly object[]) => ({ version: 1, workspaces: { acme: { workspaceRoles } } })
type Document = { workspaces: { fingerprint: string; later: { date: string }[]; laterUntil: string; counts: object; protected: object }[] }

test('a protected role of tomorrow is a row in every format, is counted, and is part of what a reviewer agrees to', async () => {
  const declaration = declared({ ...staff, allowProtected: true }, { group: 'eng', role: 'member' })
  await using place = await openPlace({ declaration, groups: ['all-staff', 'eng'] })
  for (const args of [[], ['--all'], ['--format', 'markdown']]) {
    const { out, code } = await place.run(['plan', ...args])
    expect([code, out]).toEqual([0, expect.stringContaining('Later (1, 1 protected), up to ')])
    const row = out.split('\n').find((line) => line.includes('‼')) ?? ''
    for (const word of ['workspace', 'all-staff', '→ admin', `from ${day(1)}`]) expect(row).toContain(word)
    expect(out.replaceAll(/\s+/g, ' ')).toContain('approved in the file (allowProtected)')
    expect(out).toContain('1 later (1 protected)')
  }
  const [acme] = (JSON.parse((await place.run(['plan', '--format', 'json'])).out) as Document).workspaces
  expect(acme).toMatchObject({ counts: { later: 1 }, protected: { later: 1 } })
  const row = { date: `${day(1)}T00:00:00.000Z`, why: 'starts', action: 'create', group: 'all-staff', role: 'admin', protected: true }
  expect(acme?.later).toMatchObject([{ ...row, allowProtected: true }])

  expect((await place.run(['plan', '--out', 'plan.json'])).code).toBe(0)
  expect((await place.run(['apply', 'plan.json', '--yes', '--no-wait'])).code).toBe(0)
  expect(stateOf(place.sandbox)).toEqual(['- eng → member'])
})

test('the horizon of a saved plan counts, not that of the present day', async () => {
  const declaration = declared({ ...staff, role: 'guest' }, { group: 'eng', role: 'member' })
  await using place = await openPlace({ declaration, groups: ['all-staff', 'eng'] })
  expect((await place.run(['plan', '--out', 'plan.json'])).code).toBe(0)
  const file = join(place.folder, 'plan.json')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replaceAll(/"laterUntil": "[^"]*"/g, `"laterUntil": "${day(0)}T00:00:00.000Z"`))
  expect(await place.run(['apply', 'plan.json', '--yes', '--no-wait'])).toMatchObject({
    code: 3,
    out: expect.stringContaining('Stale') as string,
  })
  expect(stateOf(place.sandbox)).toEqual([])
  await writeFile(file, text)
  expect((await place.run(['apply', 'plan.json', '--yes', '--no-wait'])).code).toBe(0)
})

test('a protected role of tomorrow that nobody approved says that it will wait', async () => {
  await using place = await openPlace({ declaration: declared(staff), groups: ['all-staff'] })
  const { out, code } = await place.run(['plan', '--detailed-exitcode'])
  expect([code, out.replaceAll(/\s+/g, ' ')]).toEqual([0, expect.stringContaining('will wait for approval: protected role')])
  expect(out).toContain('in sync: 0 unchanged, 1 later (1 protected)')
})
