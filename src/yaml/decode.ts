import { isUtf8 } from 'node:buffer'
import { tooLargeText } from '../files/read.ts'
import { type Problem, problemOfFile } from './problem.ts'
import { problemIn, type Source, sourceOf } from './source.ts'

/** Reading one MiB of YAML takes a second. */
export const yamlBytesMax = 1024 * 1024

type Decoded = { readonly source: Source } | { readonly problem: Problem }

type Decoding = {
  readonly file: string
  readonly bytesMax: number
  /** Masks a text that is not parsed yet. */
  readonly mask: (text: string) => string
}

/** Decodes UTF-8, with or without byte order mark and with `\n` or `\r\n`. A character that YAML 1.2.2 §5.1 does not call printable is a problem. */
export function decode(bytes: Uint8Array, { file, bytesMax, mask }: Decoding): Decoded {
  if (bytes.length > bytesMax) {
    return {
      problem: problemOfFile(file, tooLargeText(bytesMax), 'split it into several files'),
    }
  }
  if (!isUtf8(bytes)) return { problem: notUtf8(bytes, file, mask) }
  const text = new TextDecoder().decode(bytes)
  const source = sourceOf(file, text, mask)
  const control = /(?![\t\n\r\u0085])\p{Cc}|[\uFFFE\uFFFF]|\r(?!\n)/u.exec(source.text)
  if (!control) return { source }
  const code = (control[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  const cure = control[0] === '\r' ? 'end lines with a line feed' : 'remove it; in double quotes it can be written as \\u' + code
  return { problem: problemIn(source, control.index, control.index + 1, `the control character U+${code} is not allowed`, cure) }
}

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
