const errorsMax = 5

/** An error and its causes, the outermost first. Of several errors in one it gives the first. */
export function* errorsIn(error: unknown): Generator<Error> {
  let at = error
  for (let depth = 0; at instanceof Error && depth < errorsMax; depth++) {
    yield at
    at = at instanceof AggregateError ? at.errors[0] : at.cause
  }
}
