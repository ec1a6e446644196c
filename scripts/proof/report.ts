/** When, on which commit and on which machine a part of the proof was run. */
export type Made = {
  /** The day, as 2026-01-31. */
  readonly measured: string
  /** The commit that was checked out; with `-dirty` if files were edited. */
  readonly commit: string
  readonly node: string
  readonly processors: number
  readonly seconds: number
}

/** The report of one part, as stored in scripts/proof/reports. */
export type Report<T> = Made & { readonly result: T }

/**
 * A person's judgement of the worlds that a report names. `falseAlarms`: the auditor was wrong, not the program. `mended`: the program was wrong, and the
 * worlds pass by now. `open`: not judged yet; these worlds count as broken.
 */
export type Judged = {
  readonly falseAlarms?: readonly Explained[]
  readonly mended?: readonly Explained[]
  readonly open?: readonly Explained[]
}
export type Explained = { readonly seeds: readonly number[]; readonly why: string }

/** Written by `test/functional/process/kill.test.ts`. */
export type Kills = {
  readonly seed: number
  readonly rounds: number
  readonly writes: number
  readonly withFault: number
  /** Changes that were left for the last run of their round. */
  readonly left: number
  readonly byWay: readonly { readonly way: string; readonly kills: number; readonly beforeTheEnd: number; readonly inFlight: number }[]
}

/** The part that we read of the report of vitest. */
export type Tests = {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly title: string; readonly status: string; readonly duration?: number }[]
  }[]
}

/** All properties, and the least number of times that each was tried. */
export type Properties = {
  readonly runs: number
  readonly properties: readonly { readonly file: string; readonly title: string; readonly seconds: number }[]
}
