import { z } from 'zod'
import type { Answer } from './origin.ts'

/** An answer has more values than any list that this program reads. */
export class TooManyValues extends Error {
  override readonly name = 'TooManyValues'
}

/** An answer has bytes that are not UTF-8, which JSON must be (RFC 8259, 8.1). The names in it are perhaps not the real ones. */
export class NotUtf8 extends Error {
  override readonly name = 'NotUtf8'
}

/**
 * Maximum of values in an answer; 400,000 mappings have this many. A value of a few bytes takes up to a hundred bytes of memory (measured:
 * 62 MiB of `{},` take over 900 MB), so a limit on bytes alone does not bound memory.
 */
export const valuesMax = 4_000_000

/** Parses the body of an answer. @throws {TooManyValues} or {NotUtf8} before parsing. @throws {SyntaxError} */
export function parseJson({ body, notUtf8 }: Pick<Answer, 'body' | 'notUtf8'>): unknown {
  if (notUtf8) throw new NotUtf8('bytes that are not UTF-8, so that names in it may not be the real ones')
  if (hasTooManyValues(body))
    throw new TooManyValues(`more than ${valuesMax / 1_000_000} million values, which no list of this program has`)
  // Some servers begin with a byte order mark, which a reader may ignore (RFC 8259 §8.1).
  return JSON.parse(body.startsWith('\ufeff') ? body.slice(1) : body)
}

/** Counts the characters that begin a value in a list or an object. Characters inside texts count too: the limit is far above any real answer. */
function hasTooManyValues(body: string): boolean {
  if (body.length < valuesMax) return false
  let values = 0
  for (let at = 0; at < body.length; at++) {
    const code = body.charCodeAt(at)
    if ((code === 0x2c || code === 0x5b || code === 0x7b) && ++values > valuesMax) return true
  }
  return false
}

/**
 * The schema of a list that stops at the first wrong element, since one is enough to refuse an answer. `z.array` stores an issue for every wrong
 * element: a million of them took 1.2 GB and 4 s (measured).
 */
export const checkedList = <T>(element: z.ZodType<T>): z.ZodType<T[]> =>
  z.array(z.unknown()).transform((values, context) => {
    const items: T[] = []
    for (const [index, value] of values.entries()) {
      const parsed = element.safeParse(value)
      if (!parsed.success) {
        const [issue] = parsed.error.issues
        context.addIssue({ code: 'custom', message: issue?.message ?? 'unexpected', path: [index, ...(issue?.path ?? [])] })
        return z.NEVER
      }
      items.push(parsed.data)
    }
    return items
  })

/**
 * Says that an answer is compressed; undefined if its header names no compression. The clients of this program ask for none. Some servers name the
 * character encoding in this header, so it counts only if the body cannot be read.
 */
export function compressionOf({ headers }: Pick<Answer, 'headers'>): string | undefined {
  const coding = /^\s*(?:x-)?(gzip|deflate|compress|br|zstd)\b/i.exec(headers['content-encoding'] ?? '')?.[1]
  return coding === undefined ? undefined : `compressed (content-encoding: ${coding.toLowerCase()})`
}
