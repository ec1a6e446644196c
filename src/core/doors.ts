/**
 * The doors of an approval, as the setting `approvals` opens them. `any`: words in a file, `--allow`, and orders to a daemon. `files-only`: only words in
 * a file.
 */
export type Doors = 'any' | 'files-only'

/** How what has an ID gets its approval: the end of a sentence. Without an ID, a text shows it elsewhere. No other place knows which door is open. */
export const doorText = (id: string | undefined, doors: Doors): string =>
  doors === 'any' ? `--allow ${id ?? 'with its ID'}` : `${wordsCommand(id ?? 'ID')} prints the words for a file`

/** The command that prints the words of a file. A person writes the reason. */
const wordsCommand = (id: string): string => `plane-group-sync approve ${id} --reason …`

/** How a project or a group with another id is accepted, beside an edit of the rule. A file has no words for it, so only an edit is left there. */
export const acceptText = (id: string, doors: Doors): string | undefined => (doors === 'any' ? `apply --allow ${id}` : undefined)

/** Why an approval by ID is refused, and what to do instead. @param ids those that were given */
export const closedDoor = (ids: readonly string[]): { readonly sentence: string; readonly cure: string } => ({
  sentence: 'by the setting approvals: files-only, only words in a file approve what waits',
  cure: `write the words in a file that may have waivers, and let it be reviewed: ${wordsCommand(ids.length === 0 ? 'ID' : ids.join(' '))} prints them`,
})
