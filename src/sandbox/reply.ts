/** One answer before it becomes bytes. Without `body` the answer has none. */
export type Reply = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: { readonly json: unknown; readonly indented?: true } | { readonly html: string }
}

export const json = (status: number, value: unknown, headers?: Record<string, string>): Reply => ({
  status,
  body: { json: value },
  ...(headers && { headers }),
})
export const empty = (status: number, headers: Record<string, string> = {}): Reply => ({ status, headers })
/** `{"detail": …}`, the form of the framework. */
export const detail = (status: number, text: string, headers?: Record<string, string>): Reply => json(status, { detail: text }, headers)
/** `{"error": …}`, the form of the endpoints. */
export const error = (status: number, text: string): Reply => json(status, { error: text })
/** JSON for a person. */
export const indented = (value: object): Reply => ({ status: 200, body: { json: value, indented: true } })
export const html = (status: number, text: string): Reply => ({ status, body: { html: text } })

export const noPermission = (): Reply => detail(403, 'You do not have permission to perform this action.')
export const objectNotFound = (): Reply => error(404, 'The requested resource does not exist.')
export const serverError = (): Reply => error(500, 'Something went wrong please try again later')

/** Bytes and headers of a reply. */
export function encode(reply: Reply): { readonly bytes: Buffer; readonly headers: Record<string, string> } {
  if (reply.body === undefined) return { bytes: Buffer.alloc(0), headers: { ...reply.headers } }
  const [text, type] = 'json' in reply.body ? [jsonText(reply.body), 'application/json'] : [reply.body.html, 'text/html; charset=utf-8']
  return { bytes: Buffer.from(text), headers: { 'Content-Type': type, ...reply.headers } }
}

const jsonText = ({ json, indented }: { readonly json: unknown; readonly indented?: true }): string =>
  indented ? `${JSON.stringify(json, undefined, 2)}\n` : JSON.stringify(json)
