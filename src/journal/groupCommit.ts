/**
 * Collects the items that arrive while a call of `work` runs. The next call gets all of them, in the order of arrival, and the promise of each item
 * settles with that call. A failed call does not stop later ones.
 */
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
