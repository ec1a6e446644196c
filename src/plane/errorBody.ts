import { compressionOf } from '../http/compression.ts'
import { parseJson } from '../http/json.ts'
import type { Answer } from '../http/origin.ts'
import { excerpt } from './excerpt.ts'

/**
 * The text of an error body, from the service or from a proxy in front of it, in one bounded line. The known forms are
 * `{detail}`, `{error}`, `{<field>: ["…"]}`, `{error_code, error_message}`, `{type, code, detail, errors: […]}`, a list of texts, HTML.
 */
export function explanation({ body, headers }: Pick<Answer, 'body' | 'headers'>, secrets: readonly string[]): string {
  if (body.trim() === '') return 'no text'
  if (/^\s*</.test(body) || headers['content-type']?.includes('html')) {
    const title = /<title[^>]*>([^<]{1,500})/i.exec(body.slice(0, 20_000))?.[1] ?? ''
    return `a web page${title.trim() === '' ? '' : ` "${excerpt(title, secrets)}"`}`
  }
  let value: unknown
  try {
    value = parseJson({ body })
  } catch {
    const compressed = compressionOf({ headers })
    return compressed === undefined ? excerpt(body, secrets) : `a text that is ${compressed}`
  }
  return excerpt(sentences(value, 0) || body, secrets, 400)
}

function sentences(value: unknown, depth: number): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'object' || value === null || depth > 3) return ''
  if (Array.isArray(value)) {
    return value
      .slice(0, 10)
      .map((item) => sentences(item, depth + 1))
      .filter(Boolean)
      .join('; ')
  }
  return Object.entries(value)
    .slice(0, 20)
    .map(([name, item]) => {
      const text = sentences(item, depth + 1)
      return text === '' || spoken.has(name) ? text : `${name}: ${text}`
    })
    .filter(Boolean)
    .join('; ')
}

/** Field names that are left out: their value says enough. */
const spoken = new Set(['detail', 'error', 'error_message', 'message', 'errors', 'non_field_errors'])
