/** Where, when and on what a part of the proof was made. */
export type Made = {
  /** The day, as 2026-01-31. */
  readonly measured: string
  /** What was checked out; `-dirty` where something was edited. */
  readonly commit: string
  readonly node: string
  readonly processors: number
  readonly seconds: number
}

/** One part's report, as it lies in scripts/proof/reports. */
export type Report<T> = Made & { readonly result: T }

/** What a person says of a report after looking at the worlds that it names: where the auditor was wrong, and not the program. */
export type Judged = { readonly falseAlarms?: { readonly seeds: readonly number[]; readonly why: string } }

/** `test/functional/process/kill.test.ts` writes it. */
export type Kills = {
  readonly seed: number
  readonly rounds: number
  readonly writes: number
  readonly withFault: number
  /** Changes that no kill came before, left for the end of their round. */
  readonly left: number
  readonly byWay: readonly { readonly way: string; readonly kills: number; readonly beforeTheEnd: number; readonly inFlight: number }[]
}

/** vitest writes it, and much more. */
export type Tests = {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly title: string; readonly status: string; readonly duration?: number }[]
  }[]
}

/** Each property, and how often it was tried at least. */
export type Properties = {
  readonly runs: number
  readonly properties: readonly { readonly file: string; readonly title: string; readonly seconds: number }[]
}
