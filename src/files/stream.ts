import { addAbortSignal, type Readable } from 'node:stream'
import { errnoText } from './errno.ts'
import { tooLarge, type Unread } from './read.ts'

/**
 * Reads a stream to its end, at most `bytesMax`.
 *
 * @throws the reason of `signal`, and nothing else
 */
export async function readStream(stream: Readable, bytesMax: number, signal?: AbortSignal): Promise<{ readonly bytes: Buffer } | Unread> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    if (signal !== undefined) addAbortSignal(signal, stream)
    for await (const chunk of stream) {
      chunks.push(chunk as Buffer)
      length += (chunk as Buffer).length
      if (length > bytesMax) return tooLarge(bytesMax)
    }
    return { bytes: Buffer.concat(chunks) }
  } catch (error) {
    signal?.throwIfAborted()
    return { reason: 'failed', why: errnoText(error, 'input') }
  }
}
