import { describe, expect, test } from 'vitest'
import { checks } from '../../../src/core/doubt.ts'
import { filesBelow } from '../../unit/house/files.ts'
import { entraDoubts, googleDoubts, oktaDoubts } from './cloud.ts'
import { httpDoubts } from './http.ts'
import { keycloakDoubts } from './keycloak.ts'
import { ldapDoubts } from './ldap.ts'
import { readingDoubts } from './readings.ts'
import { type Seen, said } from './said.ts'
import { scimDoubts } from './scim.ts'

/** Each check that can refuse a server which behaves well in another way: a server at which it fails, and a part of its message. */
const table: Readonly<Record<keyof typeof checks, Seen>> = {
  ...readingDoubts,
  ...ldapDoubts,
  ...httpDoubts,
  ...keycloakDoubts,
  ...entraDoubts,
  ...oktaDoubts,
  ...googleDoubts,
  ...scimDoubts,
}

const rows = Object.entries(checks).map(([check, wayOut]) => ({
  check,
  way: 'setting' in wayOut ? wayOut.setting : `none: ${wayOut.none}`,
  ...table[check as keyof typeof checks],
}))

test('a check has a setting as its way out, or the reason why there is none', () => {
  expect(
    rows.filter(({ way }) => !/^[a-z]\w*(?:\.\w+)*(?:: \w+)?$/.test(way) && way !== 'none: it would believe a list that may be cut'),
  ).toEqual([])
})

describe.each(rows)('$check: $way', ({ check, way, says, read }) => {
  test('its message names the way out', async () => {
    const text = await read()
    expect(text).toMatch(says)
    if (!way.startsWith('none: ')) expect(text).toContain(way)
    const others = rows.filter((row) => row.check !== check && row.says.test(text))
    expect(
      others.map(({ check }) => check),
      'the part of the message is that of no other check',
    ).toEqual([])
  })
})

/** The tokens of a directory are no list, so they are not among the checks. */
const aboutTokens = /^src\/directories\/(?:overHttp\/token|google\/tokens|credentials)/
const sources = filesBelow('src', '.ts').filter(({ path }) => !aboutTokens.test(path))

const home = 'src/core/doubt.ts'

test('each row is a check of the program', () => {
  const named = new Set(
    sources.filter(({ path }) => path !== home).flatMap(({ text }) => [...text.matchAll(/'([a-z]+\.\w+)'/g)].map(([, name]) => name)),
  )
  // `readPages` puts the name together.
  const isNamed = (check: string) => named.has(check) || check.endsWith('.itemTwice')
  expect(rows.flatMap(({ check }) => (isNamed(check) ? [] : [check]))).toEqual([])
})

test('no text is said to be of a check without naming one', () => {
  expect(sources.filter(({ path, text }) => path !== home && /\bas Doubt\b/.test(text)).map(({ path }) => path)).toEqual([])
})

test('an answer that the program itself refuses is refused by a check of the table', () => {
  const refused = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/new DirectoryError\(\s*'(?:garbled|bound|foreign|otherResource)',\s*(\w+)/g)].flatMap(([whole, made]) =>
      made === 'doubt' ? [] : [`${path}: ${whole}`],
    ),
  )
  expect(refused).toEqual([])
})

test('the test itself notices a complete reading', () => {
  expect(() => said({ status: 'complete', value: new Map(), atMs: 0, tookMs: 0 })).toThrow('complete')
})
