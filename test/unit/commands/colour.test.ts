import { styleText } from 'node:util'
import { expect, test } from 'vitest'
import { hasColours } from '../../../src/commands/terminal.ts'

/** Environment → without a terminal, at a terminal. */
test.each([
  [{}, false, true],
  [{ TERM: 'dumb' }, false, false],
  [{ TERM: 'xterm-256color' }, false, true],
  [{ NO_COLOR: '1' }, false, false],
  [{ NO_COLOR: '' }, false, true],
  [{ NODE_DISABLE_COLORS: '1' }, false, false],
  [{ FORCE_COLOR: '1' }, true, true],
  [{ FORCE_COLOR: '' }, true, true],
  [{ FORCE_COLOR: 'true' }, true, true],
  [{ FORCE_COLOR: '3', NO_COLOR: '1', TERM: 'dumb' }, true, true],
  [{ FORCE_COLOR: '0' }, false, false],
  [{ FORCE_COLOR: 'false' }, false, false],
  [{ CLICOLOR_FORCE: '1' }, true, true],
  [{ CLICOLOR_FORCE: '0' }, false, true],
  [{ CLICOLOR_FORCE: '1', NO_COLOR: '1' }, false, false],
  [{ CLICOLOR: '0' }, false, false],
  [{ CLICOLOR: '1' }, false, true],
] as const)('%j: %j without a terminal, %j at one', (env, piped, shown) => {
  expect([hasColours(env, false), hasColours(env, true)]).toEqual([piped, shown])
  expect([hasColours(env, false, { 'no-color': true }), hasColours(env, true, { 'no-color': true })]).toEqual([false, false])
})

/** In a worker the stream has no such property. */
const isTerminal = ({ isTTY = false }: { readonly isTTY?: boolean }): boolean => isTTY

test('Node decides the same for each of its own variables', () => {
  const before = { ...process.env }
  const emit = process.emitWarning
  // Node warns of NO_COLOR beside FORCE_COLOR.
  process.emitWarning = () => undefined
  try {
    for (const name of ['FORCE_COLOR', 'NO_COLOR', 'NODE_DISABLE_COLORS', 'CLICOLOR', 'CLICOLOR_FORCE']) delete process.env[name]
    for (const name of ['FORCE_COLOR', 'NO_COLOR', 'NODE_DISABLE_COLORS']) {
      for (const value of ['', '0', '1', '2', '3', 'true', 'false']) {
        process.env[name] = value
        const stream = process.stdout
        const isStyled = styleText('red', 'x', { stream }) !== 'x'
        expect(hasColours(process.env, isTerminal(stream)), `${name}=${value}`).toBe(isStyled)
        delete process.env[name]
      }
    }
  } finally {
    process.emitWarning = emit
    Object.assign(process.env, before)
  }
})
