import { count } from '../../core/quantity.ts'
import { type Html, html, nothing } from './html.ts'

/** The bytes that are left for the page. A row that does not fit is only counted, so that no input makes the page too large. */
export type Room = { readonly take: (row: Html) => boolean; readonly isFull: () => boolean }

export function openRoom(bytesMax: number): Room {
  let left = bytesMax
  return {
    take(row) {
      left -= Buffer.byteLength(row.toString())
      return left >= 0
    },
    isFull: () => left < 0,
  }
}

/** The first rows that fit, and how many others there are. */
export function fittingRows<T>(items: readonly T[], rowsMax: number, room: Room, draw: (item: T) => Html) {
  const rows: Html[] = []
  for (const item of items.slice(0, rowsMax)) {
    if (room.isFull()) break
    const row = draw(item)
    if (!room.take(row)) break
    rows.push(row)
  }
  return { rows, left: items.length - rows.length }
}

/** What is left out, and the command that shows it, if there is one. */
export function leftOut(left: number, what: string, command?: string): Html {
  if (left === 0) return nothing
  const shown = `${count(left)} more ${what}, not shown here`
  return command === undefined ? html`<p class="dim">${shown}.</p>` : html`<p class="dim">${shown}:</p><code>${command}</code>`
}
