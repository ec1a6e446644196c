import type { HoldReason } from '../core/hold.ts'

/** A name with a blank at an end is quoted, so that the blank is seen. `nearNote`: see `HoldReason`. */
export function nearText({
  near,
  nearLabel,
  nearNote,
}: {
  readonly near?: string
  readonly nearLabel?: string
  readonly nearNote?: string
}) {
  if (near === undefined) return nearNote
  const name = near.trim() === near ? near : `"${near}"`
  return `did you mean ${name}${nearLabel === undefined ? '' : `, which is called ${nearLabel}`}?${noteText(nearNote)}`
}

const noteText = (note: string | undefined): string => (note === undefined ? '' : ` (${note})`)

const addOwner = 'add the owner of the credential to the project'
export const projectCure = `write its identifier (such as ENG, not its name), ${addOwner}, or, if it exists, write unknownProjects: send in the rule or the settings`
export const capturedProjectCure = `correct it, ${addOwner}, or write unknownProjects: skip in the rule, to leave out projects that do not exist`

/** Anyone who may create groups can give one this label, so a person has to look. */
const madeAgain = (id: string, label: string, note: string | undefined): string =>
  `another group is called "${label}" now: ${id}${noteText(note)}; if it is the group that is meant, made again, write this id`

const danglingCure = 'if the group was renamed, add "previously" to the rule · if it is gone for good, list the mapping under "removed"'

export function groupUnknownCure(reason: Extract<HoldReason, { kind: 'groupUnknown' }>): string {
  const { near, nearLabel, nearNote, mapped, hasLabel } = reason
  const again = hasLabel === true && near !== undefined && nearLabel !== undefined ? madeAgain(near, nearLabel, nearNote) : undefined
  if (mapped) return again === undefined ? danglingCure : `${again} · ${danglingCure}`
  const send = `${hasLabel === true ? 'remove the label and ' : ''}write unknownGroups: send in the rule or the settings`
  return again ?? nearText(reason) ?? `correct the name, or create the group; or, if nobody else can create it, ${send}`
}

/** Whether all places (`corp: cn=a`) are in one directory, so that `from:` cannot choose between them. */
export const isOneDirectory = (places: readonly string[]): boolean => new Set(places.map((place) => place.split(': ', 1)[0])).size === 1
