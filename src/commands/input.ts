import { pipeMs, readBounded, readStream, type Unread } from '../files/read.ts'
import { type Terminal, UsageError } from './command.ts'

/** The name of standard input, or of standard output, on the command line. */
export const stream = '-'

/** Reads a file that the command line names, or standard input for `-`. @throws {UsageError} at the second `-` */
export async function readInput(
  name: string,
  bytesMax: number,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<{ readonly bytes: Buffer } | Unread> {
  if (name !== stream) return readBounded(name, { bytesMax, pipeMs }, signal)
  const input = terminal.inStream()
  if (input.readableEnded) throw new UsageError('standard input can be read only once', { cure: 'name one of the two files by its path' })
  return readStream(input, bytesMax, signal)
}

/** The name of an input as messages show it. */
export const inputName = (name: string): string => (name === stream ? 'standard input' : name)
