/** The last line of a terminal, drawn again and again. Other text is written above it. */
export type LiveLine = {
  /** Draws the line, or draws it anew. `text` takes the present width and returns at most one line. */
  show(text: (columns: number) => string): void
  hide(): void
  /** Erases the line, calls `write`, which writes `text`, and draws the line again. */
  around(text: string, write: () => void): void
}

type Screen = {
  /** Removes secrets and control characters from a text. */
  readonly shown: (text: string) => string
  readonly write: (text: string) => void
  /** The present width; 0 or undefined if the terminal does not know it. */
  readonly columns: () => number | undefined
}

/** For a terminal that does not know its width. */
const usualColumns = 80
const erase = '\r\u001b[J'

/**
 * After each drawing the cursor goes back to the first column. A terminal that became narrower may break the line into several rows. The cursor is then
 * in the first of them, so that the next erasing removes them all.
 */
export function openLiveLine({ shown, write, columns }: Screen): LiveLine {
  let line: ((columns: number) => string) | undefined
  let isDrawn = false
  // A question, or another text without a line break at its end, must not be erased.
  let isAtStart = true

  function draw(): void {
    if (line === undefined || !isAtStart) return
    // The last column stays empty: some terminals begin a new line after it.
    write(`${isDrawn ? erase : ''}${shown(line((columns() || usualColumns) - 1))}\r`)
    isDrawn = true
  }

  function clear(): void {
    if (isDrawn) write(erase)
    isDrawn = false
  }

  return {
    show(text) {
      line = text
      draw()
    },
    hide() {
      line = undefined
      clear()
    },
    around(text, writeText) {
      clear()
      writeText()
      if (text !== '') isAtStart = text.endsWith('\n')
      draw()
    },
  }
}

/** The control sequences that this program itself writes in a text for a terminal: colours. */
const own = String.raw`\u001b\[[\d;]{0,20}m`
const control = String.raw`[\0-\x08\x0b-\x1f\x7f-\x9f]`
const onTerminal = new RegExp(`(${own})|${control}`, 'g')
const elsewhere = new RegExp(control, 'g')

/**
 * A text without control characters from outside, which could move the cursor or give orders to a terminal. Every text for a stream passes through
 * it, so that a sentence that forgets `visible` does no harm. The escapes are also valid in JSON.
 */
export function withoutControls(text: string, isTerminal: boolean): string {
  if (!isTerminal) return text.replace(elsewhere, escaped)
  return text.replace(onTerminal, (match, ours: string | undefined) => ours ?? escaped(match))
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
