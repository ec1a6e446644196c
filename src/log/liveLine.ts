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
