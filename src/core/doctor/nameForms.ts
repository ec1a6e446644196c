import type { GroupName } from '../mapping.ts'
import { counted } from '../quantity.ts'
import { visible } from '../safeName.ts'
import type { DoctorFinding } from './check.ts'

/** A form in which a group can be named. `of`: the part of a name that is the same in all forms; undefined if the name has another form. */
type Form = { readonly called: string; readonly of: (name: string) => string | undefined }

/** The first form that fits is the form of a name. */
const forms: readonly Form[] = [
  { called: 'distinguished names', of: (name) => /^(?:cn|ou)=([^,]+),.*=/i.exec(name)?.[1] },
  { called: 'paths', of: (name) => (name.startsWith('/') ? name.slice(name.lastIndexOf('/') + 1) : undefined) },
  { called: 'names with a domain in front', of: (name) => /^[^\\/]+\\([^\\/]+)$/.exec(name)?.[1] },
  { called: 'addresses', of: (name) => /^([^@\s]+)@[^@\s]+\.[^@\s]+$/.exec(name)?.[1] },
  { called: 'plain names', of: (name) => name },
]

type Formed = { readonly called: string; readonly bare: string }

function formed(name: string): Formed {
  for (const { called, of } of forms) {
    const bare = of(name)
    if (bare !== undefined && bare !== '') return { called, bare: bare.toLowerCase() }
  }
  return { called: 'plain names', bare: name.toLowerCase() }
}

/** A name that none of the directories `asked` has. `place`: where it is used. */
export type UsedName = { readonly group: GroupName; readonly place: string; readonly asked: readonly string[] }

/**
 * A finding for each directory that has the groups of such names in another form: as paths, as addresses, or only in other letters. Plane compares the
 * whole text of the claim, letter by letter, so at most one of the two forms has an effect.
 *
 * @param used names in rules and mappings that the directories which were asked do not have. Another form in a directory that was not asked explains nothing.
 * @param directories the names of each directory that was read whole
 */
export function nameFormFindings(
  used: readonly UsedName[],
  directories: ReadonlyMap<string, Iterable<GroupName>>,
): { readonly findings: readonly DoctorFinding[]; readonly explained: ReadonlySet<GroupName> } {
  const explained = new Set<GroupName>()
  const findings = [...directories].flatMap(([directory, names]): readonly DoctorFinding[] => {
    const known = new Map<string, GroupName>()
    for (const name of names) known.set(formed(name).bare, name)
    const moved = used.flatMap(({ group, place, asked }) => {
      const there = asked.includes(directory) ? known.get(formed(group).bare) : undefined
      return there === undefined || there === group ? [] : [{ group, place, there }]
    })
    const [first] = moved
    if (first === undefined) return []
    for (const { group } of moved) explained.add(group)
    const count = new Set(moved.map(({ group }) => group)).size
    const [here, there] = [formed(first.group).called, formed(first.there).called]
    const how = here === there ? 'in other letters' : `as ${here}, and ${directory} has ${there}`
    return [
      {
        code: 'names-not-in-claim',
        severity: 'warning',
        place: first.place,
        sentence: `${counted(count, 'group is', 'groups are')} named ${how}, such as "${visible(first.group)}" for "${visible(first.there)}"; Plane compares the whole text that a login sends, so one of the two has no effect`,
        cure: `look in the claim of a login which form it sends; then use that form in the rules, and let the settings of ${directory} give the same (in Keycloak the switch "Full group path" of the mapper decides)`,
      },
    ]
  })
  return { findings, explained }
}
