import { writeErrnoText } from '../files/errno.ts'
/**
 * Standard error. Its disk may be full, its reader may be gone or may not read. The program neither ends nor waits because of that: text that cannot
 * be written is dropped, and its lines are counted.
 */
export type LossyOutput = {
  write(text: string): void
  /** Lines that were dropped since the start. */
  readonly linesLost: () => number
  /** Calls `tell` each time when text is written again after lines were dropped. */
  readonly onRecovery: (tell: (loss: Loss) => void) => void
}

/** `lines`: dropped since the last recovery. `why`: the reason of the last loss, as a part of a sentence. */
export type Loss = { readonly lines: number; readonly why: string }

type Stream = Pick<NodeJS.WriteStream, 'write' | 'on' | 'writableLength'>

/** The most text that waits for a reader that does not read: bytes. */
const waitingMax = 1_000_000

export function openLossyOutput(stream: Stream): LossyOutput {
  let total = 0
  let loss: Loss | undefined
  let isTorn = false
  let tell: (loss: Loss) => void = () => undefined
  // The callback of each write gets its error, too. Without a listener the error would end the process.
  stream.on('error', () => undefined)

  function drop(text: string, why: string): void {
    const lines = text.split('\n').length - 1
    total += lines
    loss = { lines: (loss?.lines ?? 0) + lines, why }
  }

  function written(): void {
    // While much text still waits, the line that tells of the loss would be lost, too.
    if (loss === undefined || stream.writableLength > waitingMax / 2) return
    const told = loss
    loss = undefined
    tell(told)
  }

  return {
    write(text) {
      if (stream.writableLength + text.length > waitingMax) return drop(text, 'its reader does not read')
      // A full disk may have stored the beginning of the line that was dropped before, so this text begins on a new line.
      const begin = isTorn ? '\n' : ''
      stream.write(begin + text, (error) => {
        isTorn = error instanceof Error
        if (error instanceof Error) drop(text, writeErrnoText(error))
        else written()
      })
    },
    linesLost: () => total,
    onRecovery(listener) {
      tell = listener
    },
  }
}
