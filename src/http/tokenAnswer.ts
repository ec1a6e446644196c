import { parseJson } from './json.ts'

/** The fields of an answer with a token that this program uses (RFC 6749 §5.1). */
const used: ReadonlySet<string> = new Set(['access_token', 'token_type', 'expires_in'])

/**
 * An answer with a token, without the fields that this program does not use. openid-client refuses an answer if any field is not as the standard says,
 * and some servers write null for each field that they have no value for. A life that is not more than 0 says nothing: otherwise a token would be asked for
 * before each request. Other answers stay as they are.
 */
export async function withUsedFields(answer: Response): Promise<Response> {
  if (answer.status !== 200) return answer
  const body = objectIn(await answer.clone().text())
  if (body?.['access_token'] === undefined) return answer
  const fields = Object.entries(body).filter(([name, value]) => used.has(name) && !(name === 'expires_in' && Number(value) <= 0))
  return new Response(JSON.stringify(Object.fromEntries(fields)), { status: answer.status, headers: answer.headers })
}

/** The `error` and `error_description` of an answer (RFC 6749 §5.2), in one text. For a 401 openid-client reads only the header. */
export async function refusalIn(answer: Response): Promise<string> {
  const body = objectIn(await answer.clone().text())
  if (body === undefined || (answer.status < 400 && body['access_token'] !== undefined)) return ''
  return [body['error'], body['error_description']].filter((part) => typeof part === 'string' && part !== '').join(': ')
}

function objectIn(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed = parseJson({ body })
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}
