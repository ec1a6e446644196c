/** Replaces the text between `<!-- name:begin -->` and `<!-- name:end -->`. */
export const between =
  (name: string, text: string) =>
  (page: string): string => {
    const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`]
    const [from, to] = [page.indexOf(begin), page.indexOf(end)]
    if (from < 0 || to < from) throw new Error(`the markers ${begin} and ${end} are missing`)
    return `${page.slice(0, from + begin.length)}\n${text}\n${page.slice(to)}`
  }
