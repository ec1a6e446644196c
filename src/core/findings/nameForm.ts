import type { Finding } from '../finding.ts'
import { quotedGroup } from '../group.ts'
import type { GroupName } from '../mapping.ts'
import { count, counted } from '../quantity.ts'

/** A group that the memory knows by its id: the name in the memory, and the name in the directory now. */
export type KnownGroup = { readonly before: GroupName; readonly now: GroupName }

/** Nobody renames more than half of the groups at once. Fewer than three groups may be renamed together. */
const movedMin = 3

/**
 * One finding if most known groups of a directory have other names than before: a setting of the directory or a mapper of the identity provider makes the
 * names in another form, or someone renamed them all. The claim of a login may still have the former names. Who then writes the new names into the
 * file takes the access of everybody.
 *
 * @param known all groups of the directory that the memory knows, by whatever rules, and that the directory still has
 */
export function nameFormFinding(directory: string, known: readonly KnownGroup[]): Finding | undefined {
  const moved = known.filter(({ before, now }) => before !== now)
  if (moved.length < movedMin || moved.length * 2 <= known.length) return undefined
  const byForm = Map.groupBy(moved, formOf)
  const [form = '', [example] = moved] = [...byForm].find(([, same]) => same.length * 2 > moved.length) ?? []
  const { before, now } = example as KnownGroup
  return {
    code: 'names-in-another-form',
    severity: 'warning',
    place: directory,
    sentence: `the names of ${count(moved.length)} of ${counted(known.length, 'known group')} of ${directory} come in another form${form === '' ? '' : `, ${form}`}: ${quotedGroup(before)} is ${quotedGroup(now)} now; mappings under the former names stay as they are`,
    cure: `if logins still send the former names, set groups.name of ${directory}, or the mapper that makes the names, back; if they send the new ones, see docs/operations.md, "The names of a directory come in another form"`,
  }
}

/** How the name of today is made of the former one, in words; empty if it is not made of it. */
function formOf({ before, now }: KnownGroup): string {
  if (before.normalize('NFKC') === now.normalize('NFKC')) return 'in another form of Unicode'
  if (before.toLowerCase() === now.toLowerCase()) return 'in another letter case'
  if (commonName(now) === before) return 'DNs in the place of names'
  if (commonName(before) === now) return 'names in the place of DNs'
  if (lastPart(now) === before) return 'paths in the place of names'
  if (lastPart(before) === now) return 'names in the place of paths'
  if (now.endsWith(before)) return `with "${now.slice(0, -before.length)}" before them`
  if (now.startsWith(before)) return `with "${now.slice(before.length)}" after them`
  if (before.endsWith(now)) return `without "${before.slice(0, -now.length)}" before them`
  if (before.startsWith(now)) return `without "${before.slice(now.length)}" after them`
  return ''
}

const commonName = (name: string): string | undefined => /^[A-Za-z][\w.-]*=((?:[^,\\]|\\.)*),/u.exec(name)?.[1]?.replaceAll(/\\(.)/gu, '$1')
const lastPart = (name: string): string | undefined => (name.includes('/') ? name.slice(name.lastIndexOf('/') + 1) : undefined)
