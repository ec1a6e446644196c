import type { Canvas } from './canvas.ts'
import type { Style } from './paint.ts'
import { widthOf, wrap } from './width.ts'

/** The title of a section. If it does not fit in one line, its further lines are indented. `after`: its end, in plain style. */
export function titleLines(style: Style, title: string, { width, paint }: Canvas, after = ''): readonly string[] {
  if (widthOf(title + after) <= width) return [paint(style, title) + after]
  return wrap(title + after, width - 2).map((line, index) => (index === 0 ? '' : '  ') + paint(style, line))
}

/** The title of changes that wait together, within a section. Its further lines are indented, so that none of them looks like a row. */
export const setTitle = (sentence: string, { width, paint }: Canvas): readonly string[] =>
  wrap(sentence, width - 4).map((line, index) => (index === 0 ? '  ' : '    ') + paint('magenta', line))
