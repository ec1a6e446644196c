import { writeErrnoText } from '../files/errno.ts'

/**
 * The text on standard error if standard output cannot be written, for example on a full disk. The command goes on, because its task (for example the
 * writes to Plane) does not depend on the output.
 */
export const outputLost = (error: unknown): string =>
  `standard output cannot be written: ${writeErrnoText(error)}\n  the output of this command is incomplete; its exit code is 1\n`
