import type { z } from 'zod'

type Context = z.core.$RefinementCtx
type Path = readonly (string | number)[]

/** A name in a state file must be one of those that exist. The message does not show the name: it may be an API key in the wrong place. */
export function named(context: Context, known: ReadonlySet<string>, name: string, path: Path, problem: string): void {
  if (!known.has(name)) context.addIssue({ code: 'custom', message: problem, path: [...path] })
}

/** Rows of one list must differ in a field. The message does not show the value, which may be an API key. */
export function different<Row>(context: Context, rows: readonly Row[], field: keyof Row & string, path: Path): void {
  const seen = new Set<unknown>()
  for (const [index, row] of rows.entries()) {
    const value = row[field]
    if (value === undefined) continue
    if (seen.has(value)) context.addIssue({ code: 'custom', message: `another row has the same ${field}`, path: [...path, index, field] })
    seen.add(value)
  }
}
