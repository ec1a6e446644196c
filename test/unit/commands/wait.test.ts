import { expect, test } from 'vitest'
import { waitSentence } from '../../../src/commands/rounds.ts'

test.each([
  [2_000, 'Waiting 2 s, until 00:00:10 UTC, before 3 more changes: the answer to an earlier write was lost'],
  // A slow machine reports the wait when it is over.
  [-5_000, 'Waiting 0 s, until 00:00:10 UTC, before 3 more changes: the answer to an earlier write was lost'],
])('a wait that ends in %i ms', (leftMs, sentence) => {
  expect(waitSentence({ untilMs: 10_000, count: 3, since: 'unknownOutcome' }, 10_000 - leftMs)).toContain(sentence)
})
