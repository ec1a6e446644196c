import { describe, expect, test } from 'vitest'
import { settingsSchema } from '../../../src/settings/schema.ts'
import { z } from '../../../src/yaml/zod.ts'
import { Refused } from './composed.ts'
import { decisionRows } from './decisions.ts'
import { entraRows } from './entra.ts'
import { fenceRows } from './fences.ts'
import { fileRows } from './files.ts'
import { googleRows } from './google.ts'
import { keycloakRows } from './keycloak.ts'
import { ldapRows } from './ldap.ts'
import { leavesOf } from './leaves.ts'
import { notifyRows } from './notify.ts'
import { oktaRows } from './okta.ts'
import { planeRows } from './plane.ts'
import { processRows } from './process.ts'
import { type Row, withValue } from './row.ts'
import { scimRows } from './scim.ts'
import { waiverRows } from './waivers.ts'

const rows: readonly Row[] = [
  ...planeRows,
  ...decisionRows,
  ...fenceRows,
  ...waiverRows,
  ...fileRows,
  ...ldapRows,
  ...keycloakRows,
  ...entraRows,
  ...oktaRows,
  ...googleRows,
  ...scimRows,
  ...processRows,
  ...notifyRows,
]
const leaves = leavesOf(settingsSchema)
/** How many values of a setting are only another name for another value: `change` for `notice`. */
const otherNames: Readonly<Record<string, number>> = { 'log.level': 1 }

test('every setting has a row, and no row is without a setting', () => {
  const named = new Set(rows.map(({ setting }) => setting))
  expect([...named].toSorted()).toEqual(leaves.map(({ path }) => path).toSorted())
})

test('a schema of a kind that nobody has thought of is not passed over', () => {
  expect(() => leavesOf(z.strictObject({ log: z.strictObject({ since: z.date() }) }))).toThrow('"date"')
})

describe.each(rows)('$setting', ({ setting, base, cases, see }) => {
  test('has a row that tries each sort of value, and expects something else of each value', () => {
    const choices = leaves.find(({ path }) => path === setting)?.choices ?? []
    const untried = choices.filter(({ takes }) => !cases.some(([value]) => takes(value)))
    expect(untried.map(({ called }) => called)).toEqual([])
    expect(new Set(cases.map(([, seen]) => JSON.stringify(seen))).size).toBe(cases.length - (otherNames[setting] ?? 0))
    expect(cases.length).toBeGreaterThan(1)
  })

  test.each(cases)('%j: %j', async (value, seen) => {
    const shown = await see(withValue(base, setting, value)).catch((error: unknown) => {
      if (error instanceof Refused) return error.message
      throw error
    })
    expect(shown).toEqual(seen)
  })
})
