import { expect, test } from 'vitest'
import { progressOn } from '../../../src/commands/progressLine.ts'
import type { WorkspaceName } from '../../../src/core/mapping.ts'

const [acme, globex] = ['acme', 'globex'] as readonly string[] as readonly [WorkspaceName, WorkspaceName]

const waitsMs = (ms: number) => Array.from({ length: 54 }, () => ms)
const free = { limit: 60, allowed: 54, others: 0, remaining: 50, waitMs: 0, waitsMs: waitsMs(0), windowMs: 60_000 }

/** The lines at the terminal, one after another. */
function shown(budgets = [free]) {
  const said: string[] = []
  const isTerminal = { in: true, out: true, err: true }
  const clear = '\u001b[K'
  const err = (text: string) => void said.push(text.replace(clear, '').trim())
  const queues = budgets.map((budget) => ({ view: () => budget }))
  const progress = progressOn({ err, isTerminal }, () => 0, queues)
  return { said, progress }
}

test('one workspace is counted alone', () => {
  const { said, progress } = shown()
  progress.show(acme, 1, 2)
  progress.show(acme, 2, 2)
  expect(said).toEqual(['1/2 written · budget left 50 · under 5 s to go', '2/2 written · done'])
})

test('the budget that has least says how long the rest takes, not the burst before', () => {
  const { said, progress } = shown([free, { ...free, remaining: 0, waitMs: 58_000, waitsMs: waitsMs(58_000) }])
  progress.show(acme, 46, 312)
  expect(said).toEqual(['46/312 written · waits 58 s for the rate limit · about 5 min 3 s to go'])
})

test('what is written to several workspaces at once is summed up, and never goes back', () => {
  const { said, progress } = shown()
  progress.show(acme, 1, 3)
  progress.show(globex, 1, 2)
  progress.show(acme, 2, 3)
  progress.show(globex, 2, 2)
  progress.show(acme, 3, 3)
  expect(said.map((line) => line.split(' · ')[0])).toEqual([
    '1/3 written',
    '2/5 written in 2 workspaces',
    '3/5 written in 2 workspaces',
    '4/5 written in 2 workspaces',
    '5/5 written in 2 workspaces',
  ])
})

test('only a change that the service confirmed counts as written', () => {
  const { said, progress } = shown()
  progress.show(acme, 1, 4, 'unknown')
  progress.show(acme, 2, 4)
  progress.show(globex, 1, 2, 'refused')
  progress.show(acme, 3, 4, 'unknown')
  progress.show(acme, 4, 4, 'notSent')
  progress.show(globex, 2, 2)
  expect(said.map((line) => line.split(' · ')[0])).toEqual([
    '0/4 written, 1 unknown',
    '1/4 written, 1 unknown',
    '1/6 written in 2 workspaces, 1 unknown, 1 refused',
    '1/6 written in 2 workspaces, 2 unknown, 1 refused',
    '1/6 written in 2 workspaces, 2 unknown, 1 refused, 1 not sent',
    '2/6 written in 2 workspaces, 2 unknown, 1 refused, 1 not sent',
  ])
  expect(said.at(-1)).toContain(' · done')
})

test('a further round begins anew', () => {
  const { said, progress } = shown()
  progress.show(acme, 2, 2)
  progress.end()
  progress.show(globex, 1, 4)
  expect(said.at(-1)).toMatch(/^1\/4 written · /)
})
