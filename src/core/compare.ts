/** Texts by their code units: one order on every machine, whatever its language, so that equal inputs give equal plans. */
export const compare = (a: string, b: string): number => Number(a > b) - Number(a < b)

/** For sorting things by a text that they have. */
export const by =
  <T>(text: (one: T) => string) =>
  (a: T, b: T): number =>
    compare(text(a), text(b))
