import { join } from 'node:path'
import { jsonObjectIn } from '../core/jsonText.ts'

/** The folder of orders and answers, beside the files of the journal. */
export const ordersPath = (journalFolder: string): string => join(journalFolder, 'orders')

export const orderBytesMax = 64 * 1024
export const answerBytesMax = 32 * 1024 * 1024

/** The mode of an order that waits, and of an answer. */
export const waitingMode = 0o600
/**
 * The mode of an order that is executed. The daemon sets it on the open file before it executes the order. The asker has the same file open, so it
 * sees this mark under any name, also after the file was deleted.
 */
export const takenMode = 0o400

/** The paths of the files of one order. The daemon renames `order` to `taken`. `draft` and `answerDraft` have no complete content yet. */
type OrderFiles = {
  readonly draft: string
  readonly order: string
  readonly taken: string
  readonly answerDraft: string
  readonly answer: string
}

export function filesOf(folder: string, nonce: string): OrderFiles {
  const named = (end: string) => join(folder, `${nonce}.${end}`)
  return {
    draft: named('draft'),
    order: named('order'),
    taken: named('taken'),
    answerDraft: named('answer-draft'),
    answer: named('answer'),
  }
}

const orderName = /^([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\.order$/

/** The nonce in the name of an order; undefined for any other file. */
export const nonceOfOrder = (name: string): string | undefined => orderName.exec(name)?.[1]

export const isTakenName = (name: string): boolean => name.endsWith('.taken')

/** The first line of an order. The daemon makes the same line, and compares the bytes before it parses any of the rest. */
export const headOf = (run: string, nonce: string): Buffer => Buffer.from(`${JSON.stringify({ format: 1, run, nonce })}\n`)

/** The content of an order. A value that JSON cannot express becomes null or is left out, as `JSON.stringify` does. */
export const orderContent = (run: string, nonce: string, order: unknown): Buffer =>
  Buffer.concat([headOf(run, nonce), Buffer.from(JSON.stringify({ order }))])

/** @returns undefined if the text is no order: it is no JSON, or has another shape */
export function orderIn(bytes: Buffer): { readonly order: unknown } | undefined {
  const value = jsonObjectIn(bytes.toString('utf8'))
  return value !== undefined && 'order' in value ? { order: value.order } : undefined
}

export const answerContent = (answer: unknown): Buffer => Buffer.from(JSON.stringify({ answer }))

/** The answer is undefined if the daemon answered with undefined. @returns undefined if the text is no answer */
export function answerIn(bytes: Buffer): { readonly answer: unknown } | undefined {
  const value = jsonObjectIn(bytes.toString('utf8'))
  return value === undefined ? undefined : { answer: value.answer }
}
