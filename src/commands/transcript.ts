import type { Group } from '../core/group.ts'
import { OperationalError } from '../core/operationalError.ts'
import type { Reading } from '../core/reading.ts'
import type { ReadMembers } from '../cycle/readPeople.ts'
import { saveFile } from '../files/save.ts'
import { documentText } from '../render/documentText.ts'
import type { Terminal } from './command.ts'
import { stream } from './input.ts'

/** The members of so many groups show the shape of the answers. */
const groupsMax = 5

/** Whether a directory of this kind answers over HTTP, so that a transcript has its answers. */
export const isOverHttp = ({ kind }: { readonly kind: string }): boolean => kind !== 'ldap' && kind !== 'file'

/** Why the transcript has no members of a directory's groups. */
export function whyNoMembers(
  { name, kind, reading }: { readonly name: string; readonly kind: string; readonly reading: Reading<unknown> },
  hasReader: boolean,
): string {
  if (!isOverHttp({ kind })) return 'only answers over HTTP are written down'
  return reading.status === 'failed'
    ? 'the groups were not read'
    : hasReader
      ? 'no group was chosen'
      : `the settings of ${name} have no "people"`
}

/** Reads the members of the first of these groups, for the transcript only. Undefined without groups, or without a reader. */
export async function someMembers(
  groups: readonly Group[],
  read: ReadMembers | undefined,
  signal: AbortSignal,
): Promise<{ readonly groups: number; readonly reading: Reading<unknown> } | undefined> {
  const first = groups.slice(0, groupsMax)
  return read === undefined || first.length === 0 ? undefined : { groups: first.length, reading: await read(first, signal) }
}

/** Shows a transcript, and saves it for its owner alone, unless the file is `-`. A person decides whether anything of it is too much to give away. */
export async function saveTranscript(
  file: string,
  transcript: object,
  { out, err, secrets }: Pick<Terminal, 'out' | 'err' | 'secrets'>,
  signal: AbortSignal,
): Promise<void> {
  const text = secrets.scrub(`${documentText({ format: 'plane-group-sync/transcript', version: 1, ...transcript })}\n`)
  out(text)
  const failed = file === stream ? undefined : await saveFile(file, text, signal)
  if (failed !== undefined)
    throw new OperationalError('TranscriptNotSaved', `--transcript ${file}: it could not be saved: ${failed.why}`, {
      cause: failed.cause,
    })
  err(
    `This is the whole ${file === stream ? 'transcript' : `file ${file}`}. Read it before you give it away: names, ids, addresses and hosts are replaced.\n`,
  )
}
