import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { selfSigned } from './selfSigned.ts'

/** A receiver of webhooks on loopback, over TLS. Only `selfSigned.cert` vouches for it. */
export type Receiver = AsyncDisposable & {
  /** With the secret. */
  readonly address: string
  /** The bodies that it accepted, as JSON. */
  readonly messages: readonly unknown[]
  /** Each request: the time, and the status that it got. `hang`: none. */
  readonly requests: readonly { readonly atMs: number; readonly answer: number | 'hang'; readonly why?: string }[]
  /** What the next requests get, whatever they contain. */
  readonly answers: Answer[]
}
type Answer = { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | 'hang'

/** Why a real receiver refuses a body; undefined if it takes it. */
type Refusal = (body: unknown, text: string) => string | undefined
const fieldsOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {}

/** docs.slack.dev/messaging/sending-messages-using-incoming-webhooks: `invalid_payload`, `no_text`. Stricter than Slack: no field but `text`. */
const slack: Refusal = (body) => {
  const { text, ...others } = fieldsOf(body)
  if (Object.keys(others).length > 0) return `invalid_payload: ${Object.keys(others).join()}`
  if (typeof text !== 'string' || text.trim() === '') return 'no_text'
  return text.length > 4_000 ? 'msg_too_long' : undefined
}

/** developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages: unknown names are refused; a text has 4,096 characters at most. */
const googleChat: Refusal = (body) => {
  const { text, ...others } = fieldsOf(body)
  if (Object.keys(others).length > 0) return `Invalid JSON payload received. Unknown name "${Object.keys(others).join()}"`
  if (typeof text !== 'string' || text === '') return 'Message cannot be empty'
  return Buffer.byteLength(text) > 4_096 ? 'Message is too long' : undefined
}

/** learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using: an Adaptive Card of at most 28 KB. */
const teams: Refusal = (body, whole) => {
  const { type, attachments } = fieldsOf(body)
  if (type !== 'message' || !Array.isArray(attachments) || attachments.length !== 1) return 'no message with one attachment'
  const { contentType, content } = fieldsOf(attachments[0])
  if (contentType !== 'application/vnd.microsoft.card.adaptive') return 'the attachment is no Adaptive Card'
  const card = fieldsOf(content)
  if (card['type'] !== 'AdaptiveCard' || card['version'] !== '1.4' || !Array.isArray(card['body'])) return 'the card has no body'
  const blocks = (card['body'] as readonly unknown[]).map(fieldsOf)
  if (blocks.some((block) => block['type'] !== 'TextBlock' || typeof block['text'] !== 'string')) return 'a part of the card is no text'
  return Buffer.byteLength(whole) > 28 * 1024 ? 'Message size exceeded' : undefined
}

const anyJson: Refusal = () => undefined

const kinds = { slack, googleChat, teams, anyJson } as const

export async function openReceiver(kind: keyof typeof kinds, secret = `${kind}-secret-of-the-webhook`): Promise<Receiver> {
  const messages: unknown[] = []
  const requests: { readonly atMs: number; readonly answer: number | 'hang'; readonly why?: string }[] = []
  const answers: Answer[] = []
  const path = `/services/${secret}?key=${secret}`

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
    const reply = (answer: number, why?: string, headers = {}) => {
      requests.push({ atMs: Date.now(), answer, ...(why === undefined ? {} : { why }) })
      response.writeHead(answer, { 'content-type': 'text/plain', ...headers }).end(why ?? 'ok')
    }
    const next = answers.shift()
    if (next === 'hang') return void requests.push({ atMs: Date.now(), answer: 'hang' })
    if (next !== undefined) return reply(next.status, undefined, next.headers)
    if (request.method !== 'POST' || request.url !== path) return reply(404, 'no_service')
    if (request.headers['content-type'] !== 'application/json') return reply(400, 'invalid_payload')
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      return reply(400, 'invalid_payload')
    }
    const why = kinds[kind](body, text)
    if (why !== undefined) return reply(400, why)
    messages.push(body)
    reply(200)
  }

  const server = createServer(selfSigned, (request, response) => void take(request, response).catch(() => response.destroy()))
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `https://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    messages,
    requests,
    answers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
