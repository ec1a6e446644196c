import { counted } from '../../core/quantity.ts'
import { visible } from '../../core/safeName.ts'
import { compressionOf } from '../../http/compression.ts'
import { NotUtf8, parseJson, TooManyValues } from '../../http/json.ts'
import type { Answer } from '../../http/origin.ts'
import type { z } from '../../yaml/zod.ts'
import { DirectoryError } from '../directoryError.ts'

/** The body of a 200 by its schema. @param where the address that was asked. @throws {DirectoryError} */
export function bodyOf<T>(answer: Answer, schema: z.ZodType<T>, where: string): T {
  const parsed = schema.safeParse(jsonOf(answer, where))
  if (parsed.success) return parsed.data
  const [problem] = parsed.error.issues
  throw new DirectoryError('garbled', `${where}: the answer has an unexpected shape (${problem?.path.join('.')}: ${problem?.message})`, {
    cure: 'check that the directory is of this kind, and that its version is supported',
  })
}

/** A server that dies while it answers can send a 200 whose JSON is cut but properly chunked and ended (measured on Keycloak 26.7.3). */
function jsonOf(answer: Answer, where: string): unknown {
  const { body, headers } = answer
  try {
    return parseJson(answer)
  } catch (error) {
    if (error instanceof TooManyValues)
      throw new DirectoryError('bound', `${where}: the answer has ${error.message}`, { cure: 'lower pageSize' })
    const compressed = compressionOf(answer)
    if (compressed !== undefined)
      throw new DirectoryError('garbled', `${where}: the answer is ${compressed}, although the request asks for none that is`, {
        retryable: true,
        cure: 'check that the server, or the proxy before it, obeys the header Accept-Encoding: identity',
      })
    if (error instanceof NotUtf8)
      throw new DirectoryError('garbled', `${where}: the answer has ${error.message}`, { retryable: true, cure: garbledCure })
    const kind = visible(headers['content-type'] ?? 'no content type')
    throw new DirectoryError('garbled', `${where}: 200, but its body (${counted(body.length, 'character')}) is not whole JSON (${kind})`, {
      retryable: true,
      cure: garbledCure,
    })
  }
}

const garbledCure = 'check that no proxy answers in the place of the server, and look into the log of the server'
