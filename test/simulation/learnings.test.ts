import { expect, test } from 'vitest'
import { openLearnings } from './learnings.ts'

const list = '/api/v1/workspaces/acme/group-sync/project-mappings/'

/** What a journal learns: lists that are answered, and writes to mappings, each at its time. The mapping was so in the spans `so`. */
function journal(
  ...happened: readonly (readonly [number, 'list' | 'by id' | 'refused list' | `write ${string}` | `${'copy' | 'lose'} ${string}`])[]
) {
  const learnings = openLearnings()
  learnings.hear({ atMs: 0, is: 'start', process: 0, mode: 'once', skewMs: 0, drift: 0, folder: 'state' })
  for (const [request, [atMs, what]] of happened.entries()) {
    const about = { atMs, request, process: 0 }
    const [does, row = ''] = what.split(' ')
    const sent = (method: string, path: string) => learnings.hear({ ...about, is: 'sent', method, path, query: '', body: '', fate: '' })
    if (does === 'copy' || does === 'lose') learnings.hear({ atMs, is: 'happening', what: 'journal', how: what, others: 0 })
    else if (does === 'write') {
      sent('PATCH', `${list}${row}/`)
      learnings.hear({ ...about, is: 'committed', row, status: 200 })
      learnings.hear({ ...about, is: 'answered', status: 200, body: '', intact: true })
    } else {
      sent('GET', does === 'by' ? `${list}m/` : list)
      learnings.hear({ ...about, is: 'answered', status: does === 'refused' ? 502 : 200, body: '', intact: true })
    }
  }
  return (so: readonly (readonly [number, number])[], beforeMs?: number, folder = 'state') =>
    learnings.isShown({ folder, workspace: 'acme', row: 'm', atMs: 50, beforeMs, afterMs: 90 }, (ms) =>
      so.some(([fromMs, untilMs]) => fromMs <= ms && ms < untilMs),
    )
}
const changedAndBack = [
  [0, 40],
  [60, 80],
] as const

test('what was changed and changed back between two readings is shown by none', () => {
  expect(journal([30, 'list'], [70, 'list'])(changedAndBack)).toBe(true)
  expect(journal([70, 'list'])(changedAndBack, 20)).toBe(true)
})

test('a reading on either side must have shown it', () => {
  expect(journal([45, 'list'], [70, 'list'])(changedAndBack)).toBe(false)
  expect(journal([30, 'list'], [85, 'list'])(changedAndBack)).toBe(false)
  expect(
    journal(
      [30, 'list'],
      [95, 'list'],
    )([
      [0, 40],
      [60, 99],
    ]),
  ).toBe(false)
  expect(
    journal([10, 'list'], [70, 'list'])(
      [
        [0, 15],
        [60, 80],
      ],
      20,
    ),
  ).toBe(false)
  expect(journal([30, 'list'])(changedAndBack)).toBe(false)
})

test('an own write tells before the moment only, and of its mapping', () => {
  expect(journal([30, 'write m'], [70, 'list'])(changedAndBack)).toBe(true)
  expect(journal([30, 'write other'], [70, 'list'])(changedAndBack)).toBe(false)
  expect(journal([30, 'list'], [70, 'write m'])(changedAndBack)).toBe(false)
})

test('an answer without a list tells nothing', () => {
  expect(journal([30, 'by id'], [70, 'list'])(changedAndBack)).toBe(false)
  expect(journal([30, 'refused list'], [70, 'list'])(changedAndBack)).toBe(false)
})

test('a copy of a journal has what the journal had learned, and one that is lost has nothing', () => {
  const copied = journal([30, 'list'], [70, 'list'], [75, 'copy state copy'])
  expect(copied(changedAndBack, undefined, 'copy')).toBe(true)
  expect(copied(changedAndBack)).toBe(true)
  expect(journal([30, 'list'], [55, 'lose state'], [70, 'list'])(changedAndBack)).toBe(false)
  expect(journal([30, 'list'], [55, 'copy state copy'], [70, 'list'])(changedAndBack, undefined, 'copy')).toBe(false)
})
