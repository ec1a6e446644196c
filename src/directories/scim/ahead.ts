import type { AskPage } from './list.ts'

type AheadOptions = {
  /** The items of a page; each page after the first begins with the last item of the page before. */
  readonly count: number
  readonly total: number
  /** How many pages are requested at the same time. */
  readonly atOnce: number
}

/**
 * Asks for pages by index before they are wanted, several at the same time. `byIndex` compares the first item of each page with the last one of the page
 * before, so the order in which the server answers does not matter.
 */
export function askAhead<Row>(askPage: AskPage<Row>, { count, total, atOnce }: AheadOptions): AskPage<Row> {
  const sent = new Map<number, ReturnType<AskPage<Row>>>()
  return (page, signal) => {
    const wanted = Number(page['startIndex'])
    for (let at = wanted; at < Math.min(total, wanted + atOnce * (count - 1)); at += count - 1) {
      if (sent.has(at)) continue
      const answer = askPage({ startIndex: `${at}`, count: `${count}` }, signal)
      // If an earlier page ends the reading, this one is not awaited.
      answer.catch(() => undefined)
      sent.set(at, answer)
    }
    return (page['count'] === `${count}` ? sent.get(wanted) : undefined) ?? askPage(page, signal)
  }
}
