import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { give, usualFiles } from '../bad-input-world.ts'

const odd = 'x\u001b]0;title\u0007\u202ey\u009b2J'

/** Each place of the command line, and of the files, from which a text comes into a message. */
const args: readonly (readonly string[])[] = [
  [odd],
  ['--', odd],
  ['plan', odd],
  ['plan', `--${odd}`],
  ['plan', `-${odd}`],
  ['plan', '--format', odd],
  ['plan', '--config', odd],
  ['plan', '--workspace', odd],
  ['plan', '--log-level', odd],
  ['plan', '--log-format', odd],
  ['plan', '--fail-on', odd],
  ['plan', '--out', join('/nowhere', odd)],
  ['apply', odd, '--yes'],
  ['apply', '--allow', odd, '--yes'],
  ['groups', odd],
  ['groups', '--directory', odd],
  ['export', '--workspace', odd],
  ['explain', odd, 'ENG', 'devs'],
  ['explain', 'acme', odd, 'devs'],
  ['explain', 'acme', 'ENG', odd],
  ['explain', 'acme', 'ENG', 'devs', '--recorded', odd],
  ['schema', odd],
  ['sandbox', '--state', odd],
  ['sandbox', '--listen', odd],
  ['sandbox', '--fault', odd],
  ['sandbox', '--dialect', odd],
]

/** Control characters, and characters that change the direction of a text. */
const orders = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u

describe.concurrent('the command line', () => {
  test.each(args)('%j %j %j', async (...given) => {
    const { out, err } = await give({ args: given })
    expect(`${out}${err}`).not.toBe('')
    expect(`${out}${err}`).not.toMatch(orders)
  })

  test('a settings file of such a name', async () => {
    const { exit, out, err } = await give({ files: { [`${odd}.yaml`]: settingsText }, args: ['validate', '--config', `${odd}.yaml`] })
    expect([exit, out + err]).toEqual([0, expect.stringContaining('\\u{1b}')])
    expect(out + err).not.toMatch(orders)
  })
})

const settingsText = (usualFiles['config.yaml'] as string).replace('SERVICE', 'https://plane.example.com')
