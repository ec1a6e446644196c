import { randomUUID } from 'node:crypto'

/** The id of the cycle that runs now. Every line of the log that is written meanwhile has it, so that one search shows a whole cycle. */
export type CycleId = {
  begin(): void
  end(): void
  /** For a line of the log; empty between two cycles. */
  fields(): { readonly cycle?: string }
}

export function openCycleId(): CycleId {
  let fields: { readonly cycle?: string } = {}
  return {
    begin: () => {
      fields = { cycle: randomUUID().slice(0, 8) }
    },
    end: () => {
      fields = {}
    },
    fields: () => fields,
  }
}
