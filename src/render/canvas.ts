import { type Paint, paintOf } from './paint.ts'

/** `width`: columns of the terminal; where there is none, as many as a line of a log may have. */
export type TextOptions = { readonly colour: boolean; readonly width: number }

/** What rows are drawn on. */
export type Canvas = { readonly width: number; readonly paint: Paint; readonly nowMs: number }

/** A terminal narrower than this wraps by itself. */
const widthMin = 40

export const canvasOf = ({ colour, width }: TextOptions, nowMs: number): Canvas => ({
  width: Math.max(widthMin, width),
  paint: paintOf(colour),
  nowMs,
})
