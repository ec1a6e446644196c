import { expect, test } from 'vitest'
import { progressOn } from '../../../src/commands/progress.ts'
import type { WorkspaceName } from '../../../src/core/mapping.ts'

const [acme, globex] = ['acme', 'globex'] as readonly string[] as readonly [WorkspaceName, WorkspaceName]

/** What stands at the terminal, one line after another. */
function shown() {
  const said: string[] = []
  const isTerminal = { in: true, out: true, err: true }
  const clear = '\u001b[K'
  const progress = progressOn({ err: (text) => void said.push(text.replace(clear, '').trim()), isTerminal }, () => 0, [
    { view: () => ({ remaining: 50 }) },
  ])
  return { said, progress }
}

test('one workspace is counted alone', () => {
  const { said, progress } = shown()
  progress.show(acme, 1, 2)
  progress.show(acme, 2, 2)
  expect(said).toEqual(['1/2 written · budget left 50 · about 0 s to go', '2/2 written · budget left 50 · done'])
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

test('a further round begins anew', () => {
  const { said, progress } = shown()
  progress.show(acme, 2, 2)
  progress.end()
  progress.show(globex, 1, 4)
  expect(said.at(-1)).toMatch(/^1\/4 written · /)
})
