import { join } from 'node:path'
import { bundleRows } from './bench/bundle.ts'
import { diffRows } from './bench/diff.ts'
import { groupsRows } from './bench/groups.ts'
import { ldapRow } from './bench/ldap.ts'
import { memberRows } from './bench/members.ts'
import { pageRows } from './bench/pages.ts'
import { peopleRows } from './bench/people.ts'
import { quietRow } from './bench/quiet.ts'
import { rangesRow } from './bench/ranges.ts'
import { heading, type Row, rowText } from './bench/row.ts'
import { scaleRows } from './bench/scale.ts'
import { scimRow } from './bench/scim.ts'
import { throttledRow } from './bench/throttled.ts'
import { validateRow } from './bench/validate.ts'
import { walkRow } from './bench/walk.ts'

/**
 * Measures and prints one table with ratios. Arguments name the measures to run; without arguments all run. No measure fails because it is slow.
 * docs/dev/benchmarks.md has the results and the machine. `ldap`, `groups` and `ranges` need slapd and ldap-utils, and
 * `ranges` also what .ci/install-unboundid installs.
 */
const measures: Readonly<Record<string, () => Promise<readonly Row[]> | AsyncIterable<Row>>> = {
  quiet: async () => [await quietRow()],
  ldap: async () => [await ldapRow()],
  groups: groupsRows,
  ranges: async () => [await rangesRow()],
  scim: async () => [await scimRow(), await scimRow(true)],
  pages: pageRows,
  members: memberRows,
  walk: async () => [await walkRow()],
  diff: async () => diffRows(),
  people: peopleRows,
  throttled: async () => [await throttledRow(0), await throttledRow(10)],
  validate: async () => [await validateRow()],
  bundle: bundleRows,
  scale: scaleRows,
}

process.chdir(join(import.meta.dirname, '..'))
const chosen = process.argv.slice(2)
process.stdout.write(`${heading}\n`)
for (const [name, measure] of Object.entries(measures)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  for await (const row of await measure()) process.stdout.write(`${rowText(row)}\n`)
}
