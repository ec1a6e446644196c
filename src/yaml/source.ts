import type { Position } from '../core/rule.ts'
import type { Problem } from './problem.ts'

/** A file's text with the offsets at which its lines begin. Offsets are UTF-16 indexes, columns are characters. */
export type Source = { readonly file: string; readonly text: string; readonly lineStarts: readonly number[] }

export function sourceOf(file: string, text: string): Source {
  const lineStarts = [0]
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) lineStarts.push(end + 1)
  return { file, text, lineStarts }
}

/** Line and column, both from 1. */
export function positionAt({ file, text, lineStarts }: Source, offset: number): Position {
  const index = lineIndex(lineStarts, offset)
  return { file, line: index + 1, column: Array.from(text.slice(lineStarts[index], offset)).length + 1 }
}

/** A problem that the frame shows under the text from `start` to `end`, or to the end of that line. */
export function problemIn(source: Source, start: number, end: number, message: string, help?: string): Problem {
  const index = lineIndex(source.lineStarts, start)
  const lineStart = source.lineStarts[index] ?? 0
  const line = source.text.slice(lineStart, (source.lineStarts[index + 1] ?? source.text.length + 1) - 1).replace(/\r$/, '')
  const from = Math.min(start - lineStart, line.length)
  const to = Math.max(from, Math.min(end - lineStart, line.length))
  return { at: positionAt(source, start), message, ...(help === undefined ? {} : { help }), source: { line, from, to } }
}

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
