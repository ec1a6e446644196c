import { expect, test } from 'vitest'
import { openRetries } from './audit/retries.ts'
import type { Refusing } from './spec.ts'

const path = '/api/v1/workspaces/acme/group-sync/project-mappings/1/'
const mendedMs = 60_000
const refusing: Refusing = { by: 'page', status: 403, methods: ['DELETE'], newKey: false, alone: true, fromMs: 0, untilMs: mendedMs }

/** One cycle in which a delete is refused, and the cycle after it. */
function wrongs({ sends = true, outcome = 'acme success', beganMs = mendedMs, isOrdered = false, alone = true } = {}): readonly string[] {
  const retries = openRetries({ refusing: { ...refusing, alone }, beginMs: 0, journal: 'folder' })
  const sent = (atMs: number, fate: string) =>
    retries.hear({ atMs, is: 'sent', process: 0, request: 1, method: 'DELETE', path, query: '', body: '', fate })
  return [
    ...retries.hear({ atMs: 0, is: 'cycle', process: 0 }),
    ...sent(1, 'refused'),
    ...retries.hear({ atMs: 2, is: 'cycled', process: 0, outcome: 'acme failed', judged: ['acme'] }),
    ...retries.hear({ atMs: beganMs, is: 'cycle', process: 0, ...(isOrdered ? { isOrdered } : {}) }),
    ...(sends ? sent(beganMs + 1, '') : []),
    ...retries.hear({ atMs: beganMs + 2, is: 'cycled', process: 0, outcome, judged: ['acme'] }),
  ]
}

test('a refused write that is sent again breaks no promise', () => expect(wrongs()).toEqual([]))

test.each([
  [{ sends: false }, `the cycle did not try DELETE ${path} , which was refused before the cause was mended`],
  [{ sends: false, isOrdered: true }, `the command of a person did not try DELETE ${path} , which was refused before the cause was mended`],
  [{ outcome: 'acme partial' }, 'the cycle left something after the cause was mended: acme partial'],
])('%o is seen', (world, wrong) => expect(wrongs(world)).toEqual([wrong]))

test.each([{ beganMs: mendedMs - 1 }, { alone: false }])('%o may be right', (world) =>
  expect(wrongs({ ...world, sends: false, outcome: 'acme failed' })).toEqual([]),
)
