import { OperationalError } from '../core/operationalError.ts'
import { saveFile } from '../files/save.ts'
import { stream } from './input.ts'

/** Saves what `--out` asks for. @param what it is: `the plan` @throws {OperationalError} */
export async function saveOut(
  file: string,
  what: 'the plan' | 'the recording' | 'the report',
  document: string,
  signal: AbortSignal,
): Promise<void> {
  const failed = await saveFile(file, document, signal)
  if (failed === undefined) return
  throw new OperationalError('OutNotSaved', `--out ${file}: ${what} could not be saved: ${failed.why}`, {
    cure: `correct this, or name another file with --out; --out ${stream} writes to standard output`,
    cause: failed.cause,
  })
}
