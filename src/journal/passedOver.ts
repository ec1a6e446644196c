import type { Tell } from '../core/codec.ts'
import type { Finding } from '../core/finding.ts'
import { listedFirst } from '../core/quantity.ts'

/** Entries and fields of a newer version in a journal's newest file, which this version ignores. */
export type PassedOver = {
  readonly file: string
  /** Unknown kind → the number of its entries. */
  readonly kinds: ReadonlyMap<string, number>
  /**
   * Unknown fields, each with its path (`result.change.unheardOf`). `headFields`: those of the first line, which has the memory. `entryFields`: those of
   * entries.
   */
  readonly headFields: ReadonlyMap<string, Stands>
  readonly entryFields: ReadonlyMap<string, Stands>
}
type Stands = { readonly firstLine: number; readonly count: number }

/** An empty record, which is filled while the file is read. */
export const passedOverIn = (file: string) => ({
  file,
  kinds: new Map<string, number>(),
  headFields: new Map<string, Stands>(),
  entryFields: new Map<string, Stands>(),
})
export const nothingPassedOver: PassedOver = passedOverIn('')
export const hasPassedOver = ({ kinds, headFields, entryFields }: PassedOver): boolean =>
  kinds.size + headFields.size + entryFields.size > 0

/** Counts the unknown fields of one line, and keeps the first line in which each occurs. */
export const telling =
  (fields: Map<string, Stands>, line: number): Tell =>
  (name) =>
    void fields.set(name, { firstLine: fields.get(name)?.firstLine ?? line, count: (fields.get(name)?.count ?? 0) + 1 })

/** At most three findings: for ignored fields of the memory, ignored entries, and ignored fields of entries. */
export function passedOverFindings(folder: string, { file, kinds, headFields, entryFields }: PassedOver): readonly Finding[] {
  const newer = 'unless you went back to an older version on purpose, start the newer one'
  const ignored = { code: 'journal-entries-ignored', severity: 'warning' } as const
  const findings: Finding[] = []
  if (headFields.size > 0) {
    findings.push({
      ...ignored,
      place: `${file}:1`,
      sentence: `${counted(countsOf(headFields))} in the memory that this file begins with: fields of a newer version, which this version ignores; the next file of the journal will lack them`,
      cure: `${newer} before this version begins the next file (after journal.bytesMax of entries)`,
    })
  }
  if (kinds.size > 0) {
    const sentence = `${counted(kinds)} in this journal: entries of a newer version, which this version ignores`
    findings.push({ ...ignored, place: folder, sentence, cure: newer })
  }
  if (entryFields.size > 0) {
    const [first] = entryFields.values()
    const sentence = `${counted(countsOf(entryFields))} from this line on: fields of a newer version, which this version ignores`
    findings.push({ ...ignored, place: `${file}:${first?.firstLine}`, sentence, cure: newer })
  }
  return findings
}

const countsOf = (fields: ReadonlyMap<string, Stands>): ReadonlyMap<string, number> =>
  new Map([...fields].map(([name, { count }]) => [name, count]))

const namesMax = 5
const charactersMax = 80

/** Names and counts, cut short: a newer version may have many names, and a damaged file long ones. */
function counted(counts: ReadonlyMap<string, number>): string {
  const named = [...counts].slice(0, namesMax).map(([name, count]) => `${count} × ${JSON.stringify(name.slice(0, charactersMax))}`)
  return listedFirst(named, counts.size)
}
