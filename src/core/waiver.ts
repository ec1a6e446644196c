import type { Position } from './rule.ts'
import type { WaiverWords } from './waiverWords.ts'

/** The approval of a person: changes may pass the guards until a time. It names them by ids, or it describes them in words. */
export type Waiver = {
  /**
   * Ids of changes, of a set of changes that waits for a limit, or the first digits (`waiverDigits`) of a plan's fingerprint. They pass every guard but
   * the limits on people: these need the id of the change with a number of people, `ID:160`.
   */
  readonly ids: readonly string[]
  /** Of a waiver that was used: those of its ids that were. Its `ids` are then those of the changes that passed by it, so it lets no others pass. */
  readonly used?: readonly string[]
  readonly words?: WaiverWords
  /** Of a waiver that was used: its changes passed as one set, so this is how many people they may concern together. */
  readonly together?: number | 'any'
  /** Of a file inside a fence: it lets its changes pass the guards of single changes, and no limit on sets of changes. */
  readonly fenced?: true
  /** The place in a file; absent: no file declares it. */
  readonly at?: Position
  /** The name that a person gave, which nothing proves; of a file: its owner, or its path. */
  readonly by: string
  /** The account of the process that gave it. Absent: a file gave it. */
  readonly account?: string
  /** Epoch ms, by the date. */
  readonly untilMs: number
  /** The place in a file, `--allow`, or the name of an approval in the journal. */
  readonly source: string
}

/** Who gave an approval: `ann (plane (uid 65532))` is what this account said. */
export const giverText = ({ by, account }: Pick<Waiver, 'by' | 'account'>): string => (account === undefined ? by : `${by} (${account})`)
