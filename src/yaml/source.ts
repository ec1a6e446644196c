import { isUtf8 } from 'node:buffer'
import type { Position } from '../core/rule.ts'
import { hidden, withoutSecretForms } from '../core/secretText.ts'
import { tooLargeText } from '../files/read.ts'
import { type Excerpt, type Problem, problemOfFile } from './problem.ts'

/**
 * The text of a file and the offsets at which its lines begin. Offsets are UTF-16 indexes, columns count characters. Problems show `masked`,
 * not the text. Before a message quotes the text, `shows` must allow it.
 */
export type Source = {
  readonly file: string
  readonly text: string
  readonly lineStarts: readonly number[]
  /** The offsets of the second halves of surrogate pairs: two UTF-16 units that are one character. */
  readonly pairs: readonly number[]
  /** The text with a dot for each character that no output may show. */
  readonly masked: () => string
}

export function sourceOf(file: string, text: string, mask: (text: string) => string): Source {
  const lineStarts = [0]
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) lineStarts.push(end + 1)
  const pairs = Array.from(text.matchAll(/[\uDC00-\uDFFF]/g), ({ index }) => index)
  return { file, text, lineStarts, pairs, masked: once(() => mask(text)) }
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

/** Line and column, both from 1. It takes as long in a file of one long line as in any other. */
export function positionAt({ file, text, lineStarts, pairs }: Source, offset: number): Position {
  const index = lineIndex(lineStarts, offset)
  const start = lineStarts[index] ?? 0
  const units = Math.min(offset, text.length) - start
  return { file, line: index + 1, column: units - (countBefore(pairs, offset) - countBefore(pairs, start)) + 1 }
}

/** How much of a long line an excerpt keeps before and after its problem. A frame shows less. */
const unitsAround = 2_000

/** A problem with the text from `start` to `end`, or to the end of the line of `start`. */
export function problemIn(source: Source, start: number, end: number, message: string, cure?: string): Problem {
  const index = lineIndex(source.lineStarts, start)
  const lineStart = source.lineStarts[index] ?? 0
  const lineEnd = (source.lineStarts[index + 1] ?? source.text.length + 1) - 1
  // A file may be one line of a mebibyte, so only the surroundings of the problem are kept.
  const cutStart = Math.max(lineStart, Math.min(start, lineEnd) - unitsAround)
  const line = source
    .masked()
    .slice(cutStart, Math.min(lineEnd, Math.max(start, Math.min(end, start + unitsAround)) + unitsAround))
    .replace(/\r$/, '')
  const from = Math.min(start - cutStart, line.length)
  const to = Math.max(from, Math.min(end - cutStart, line.length))
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
  // A comment that is not shown leaves blanks, which may be a part of what is meant, too.
  const shown = (before + meant + after).trimEnd()
  return { line: shown, from: Math.min(before.length, shown.length), to: Math.min(before.length + meant.length, shown.length) }
}

/** Line of an offset, from 1. */
export const lineAt = ({ lineStarts }: Source, offset: number): number => lineIndex(lineStarts, offset) + 1

const lineIndex = (lineStarts: readonly number[], offset: number): number => countBefore(lineStarts, offset + 1) - 1

/** How many of the sorted offsets are less than `offset`. */
function countBefore(sorted: readonly number[], offset: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return low
}

/** Reading one MiB of YAML takes a second. */
export const yamlBytesMax = 1024 * 1024

type Decoded = { readonly source: Source } | { readonly problem: Problem }

type Decoding = {
  readonly file: string
  readonly bytesMax: number
  /** Masks a text that is not parsed yet. */
  readonly mask: (text: string) => string
}

/** Decodes UTF-8, with or without byte order mark and with `\n` or `\r\n`. A character that YAML 1.2.2 §5.1 does not call printable is a problem, and so is a merge marker. */
export function decode(bytes: Uint8Array, { file, bytesMax, mask }: Decoding): Decoded {
  if (bytes.length > bytesMax) {
    return {
      problem: problemOfFile(file, tooLargeText(bytesMax), 'split it into several files'),
    }
  }
  if (!isUtf8(bytes)) return { problem: notUtf8(bytes, file, mask) }
  const text = new TextDecoder().decode(bytes)
  const source = sourceOf(file, text, mask)
  const marker = mergeMarker.exec(source.text)
  if (marker) return { problem: problemIn(source, marker.index, marker.index + marker[0].length, mergeSentence, mergeCure) }
  const control = /(?![\t\n\r\u0085])\p{Cc}|[\uFFFE\uFFFF]|\r(?!\n)/u.exec(source.text)
  if (!control) return { source }
  const code = (control[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  const cure = control[0] === '\r' ? 'end lines with a line feed' : 'remove it; in double quotes it can be written as \\u' + code
  return { problem: problemIn(source, control.index, control.index + 1, `the control character U+${code} is not allowed`, cure) }
}

/** A line that git writes into a file with a conflict. No line of a file of this program begins so. */
const mergeMarker = /^(?:(?:<{7}|\|{7}|>{7})(?= |\r?$).*|={7}(?=\r?$))/m
const mergeSentence = 'this is a merge marker of git: the file has a conflict that is not resolved'
const mergeCure =
  'keep the lines that are right, remove the others and each line that begins with <<<<<<<, |||||||, ======= or >>>>>>>, then commit the file'

function notUtf8(bytes: Uint8Array, file: string, mask: Decoding['mask']): Problem {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return problemOfFile(file, 'the file is UTF-16', 'save it as UTF-8')
  // A binary search for the first wrong byte: it follows the longest prefix that can still become valid.
  let good = 0
  let bad = bytes.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (mayBecomeUtf8(bytes.subarray(0, middle))) good = middle
    else bad = middle
  }
  const text = new TextDecoder().decode(bytes.subarray(0, good))
  const before = sourceOf(file, text, mask)
  return problemIn(before, before.text.length, before.text.length, 'a byte here is not UTF-8', 'save the file as UTF-8')
}

function mayBecomeUtf8(prefix: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(prefix, { stream: true })
    return true
  } catch {
    return false
  }
}
