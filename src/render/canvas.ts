import { type Paint, paintOf } from './paint.ts'

/**
 * `width`: columns of the terminal. Without a terminal: the columns that a line of a log may have. `all`: each change and each hold gets a row of
 * its own; default: rows are folded and cut.
 */
export type TextOptions = { readonly colour: boolean; readonly width: number; readonly all?: boolean }

/** The terminal that rows are drawn for: `width` in columns, `nowMs` in epoch ms. */
export type Canvas = { readonly width: number; readonly paint: Paint; readonly nowMs: number; readonly all: boolean }

/** Lines are not made narrower than this; a narrower terminal wraps them itself. */
const widthMin = 40

export const canvasOf = ({ colour, width, all = false }: TextOptions, nowMs: number): Canvas => ({
  width: Math.max(widthMin, width),
  paint: paintOf(colour),
  nowMs,
  all,
})
