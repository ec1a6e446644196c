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

/** The report of one part. */
export type Report<T> = Made & { readonly result: T }

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
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

/** All properties, and the least number of times that each was tried. */
export type Properties = {
  readonly runs: number
  readonly properties: readonly { readonly file: string; readonly title: string }[]
}
