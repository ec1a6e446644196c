import { OperationalError } from '../core/operationalError.ts'
import { saveFile } from '../files/save.ts'
import { documentText } from '../render/documentText.ts'
import type { Terminal } from './command.ts'

/** Shows a transcript, and saves it for its owner alone. A person decides whether anything of it is too much to give away. */
export async function saveTranscript(
  file: string,
  transcript: object,
  { out, err, secrets }: Pick<Terminal, 'out' | 'err' | 'secrets'>,
): Promise<void> {
  const text = secrets.scrub(`${documentText({ format: 'plane-group-sync/transcript', version: 1, ...transcript })}\n`)
  out(text)
  const failed = await saveFile(file, text)
  if (failed !== undefined)
    throw new OperationalError('TranscriptNotSaved', `--transcript ${file}: it could not be saved: ${failed.why}`, {
      cause: failed.cause,
    })
  err(`This is the whole file ${file}. Read it before you give it away: names, ids, addresses and hosts are replaced.\n`)
}
