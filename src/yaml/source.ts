import type { Position } from '../core/rule.ts'
import { hidden, withoutSecretForms } from '../core/secretText.ts'
import type { Excerpt, Problem } from './problem.ts'

/**
 * The text of a file and the offsets at which its lines begin. Offsets are UTF-16 indexes, columns count characters. Problems show `masked`,
 * not the text. Before a message quotes the text, `shows` must allow it.
 */
export type Source = {
  readonly file: string
  readonly text: string
  readonly lineStarts: readonly number[]
  /** The text with a dot for each character that no output may show. */
  readonly masked: () => string
}

export function sourceOf(file: string, text: string, mask: (text: string) => string): Source {
  const lineStarts = [0]
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) lineStarts.push(end + 1)
  return { file, text, lineStarts, masked: once(() => mask(text)) }
}

/** The same source with another mask, for a text that is now parsed. */
export const maskedAnew = (source: Source, mask: () => string): Source => ({ ...source, masked: once(mask) })

/** Computes the mask when it is first needed: most files have no problem and need none. */
function once(make: () => string): () => string {
  let made: string | undefined
  return () => (made ??= make())
}

/** Whether a message may quote the text from `start` to `end`. */
export const shows = ({ masked }: Source, start: number, end: number): boolean => !masked().slice(start, end).includes('•')

/** Line and column, both from 1. */
export function positionAt({ file, text, lineStarts }: Source, offset: number): Position {
  const index = lineIndex(lineStarts, offset)
  return { file, line: index + 1, column: Array.from(text.slice(lineStarts[index], offset)).length + 1 }
}

/** A problem with the text from `start` to `end`, or to the end of the line of `start`. */
export function problemIn(source: Source, start: number, end: number, message: string, cure?: string): Problem {
  const index = lineIndex(source.lineStarts, start)
  const lineStart = source.lineStarts[index] ?? 0
  const line = source
    .masked()
    .slice(lineStart, (source.lineStarts[index + 1] ?? source.text.length + 1) - 1)
    .replace(/\r$/, '')
  const from = Math.min(start - lineStart, line.length)
  const to = Math.max(from, Math.min(end - lineStart, line.length))
  return {
    at: positionAt(source, start),
    message: withoutSecretForms(message),
    ...(cure === undefined ? {} : { cure: withoutSecretForms(cure) }),
    source: withoutLengths({ line, from, to }),
  }
}

/**
 * Every hidden part is shown with a fixed number of dots, so that the length of a password stays hidden. If the carets cover a piece of a hidden
 * part, they cover all of it.
 */
function withoutLengths({ line, from, to }: Excerpt): Excerpt {
  const isWithin = (offset: number) => line[offset - 1] === '•' && line[offset] === '•'
  let start = from
  let end = to
  while (isWithin(start)) start--
  while (isWithin(end)) end++
  const short = (text: string) => text.replaceAll(/•+/g, hidden)
  const before = short(line.slice(0, start))
  const meant = short(line.slice(start, end))
  const after = short(line.slice(end))
  return { line: before + meant + after, from: before.length, to: before.length + meant.length }
}

/** Line of an offset, from 1. */
export const lineAt = ({ lineStarts }: Source, offset: number): number => lineIndex(lineStarts, offset) + 1

function lineIndex(lineStarts: readonly number[], offset: number): number {
  let low = 0
  let high = lineStarts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
