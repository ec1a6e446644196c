/** What comes while one call is under way is the next one's, in the order of its coming, and settles with it. A failed one stops no other. */
export function groupCommit<T>(work: (all: readonly T[]) => Promise<void>): (one: T) => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  let next: { readonly all: T[]; readonly done: Promise<void> } | undefined
  return (one) => {
    if (next !== undefined) {
      next.all.push(one)
      return next.done
    }
    const all = [one]
    const done = last.then(() => {
      next = undefined
      return work(all)
    })
    next = { all, done }
    last = done.catch(() => {})
    return done
  }
}
