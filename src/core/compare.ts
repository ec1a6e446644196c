/** Compares texts by their code units. The order does not depend on the machine's language, so equal inputs give equal plans. */
export const compare = (a: string, b: string): number => Number(a > b) - Number(a < b)

/** Compares items by one text of each. */
export const by =
  <T>(text: (item: T) => string) =>
  (a: T, b: T): number =>
    compare(text(a), text(b))
