import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Finding } from '../../src/core/finding.ts'
import { openScrubber } from '../../src/core/scrub.ts'
import { hidden as replacement } from '../../src/core/secretText.ts'
import { readSecret, SecretError, secretBytesMax } from '../../src/secrets/read.ts'

const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
function file(content: string | Buffer, mode = 0o400): string {
  const path = join(folder, `secret-${files++}`)
  writeFileSync(path, content)
  chmodSync(path, mode)
  return path
}

function reading(env: Record<string, string> = {}) {
  const registry = openScrubber()
  const findings: Finding[] = []
  return { registry, findings, sources: { env, registry, noteFinding: (finding: Finding) => findings.push(finding) } }
}

const value = 'a-very-secret-value'

describe('a file', () => {
  test.each([
    ['as it is', value, value],
    ['less one line end', `${value}\n`, value],
    ['of Windows, too', `${value}\r\n`, value],
    ['and no more', `${value}\n\n`, `${value}\n`],
    ['blanks are its own', ` ${value} `, ` ${value} `],
    ['a byte order mark is not', `\uFEFF${value}`, value],
  ])('%s', async (_name, content, expected) => {
    const { sources } = reading()
    expect(await readSecret({ file: file(content) }, sources)).toBe(expected)
  })

  test('is read again each time, and every value it had stays out of the log', async () => {
    const { sources, registry } = reading()
    const path = file('first-value', 0o600)
    await readSecret({ file: path }, sources)
    writeFileSync(path, 'second-value')
    expect(await readSecret({ file: path }, sources)).toBe('second-value')
    expect(registry.scrub('first-value second-value')).toBe(`${replacement} ${replacement}`)
  })

  test('that others can read is a finding, with the command that mends it', async () => {
    const { sources, findings } = reading()
    const path = file(value, 0o444)
    await readSecret({ file: path }, sources)
    expect(findings).toEqual([
      expect.objectContaining({ code: 'secret-file-world-readable', place: path, cure: expect.stringContaining(`chmod o-r ${path}`) }),
    ])
    await readSecret({ file: file(value, 0o440) }, sources)
    expect(findings).toHaveLength(1)
  })
})

describe('an environment variable', () => {
  test('as it is', async () => {
    const { sources, registry } = reading({ KEY: value })
    expect(await readSecret({ env: 'KEY' }, sources)).toBe(value)
    expect(registry.scrub(`x${value}x`)).toBe(`x${replacement}x`)
  })

  test('not set, or empty', async () => {
    const { sources } = reading({ EMPTY: '' })
    await expect(readSecret({ env: 'NONE' }, sources)).rejects.toMatchObject({
      code: 'missing',
      message: 'environment variable NONE is not set',
    })
    await expect(readSecret({ env: 'EMPTY' }, sources)).rejects.toMatchObject({
      code: 'unfit',
      message: 'environment variable EMPTY is empty',
    })
  })
})

describe('refused, with the file and what to do, never with its content', () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  test.each([
    ['missing', () => join(folder, 'nowhere'), 'missing', /does not exist/],
    ['below a file', () => join(file(value), 'x'), 'missing', /does not exist/],
    ['empty', () => file(''), 'unfit', /is empty/],
    ['only a line end', () => file('\n'), 'unfit', /is empty/],
    ['only blanks', () => file('  \n'), 'unfit', /is empty/],
    ['with a NUL byte', () => file(`${value}\0`), 'unfit', /NUL/],
    ['not text', () => file(Buffer.from([0xff, 0xfe, 0x41, 0x42, 0x43])), 'unfit', /not UTF-8/],
    ['too large', () => file('x'.repeat(secretBytesMax + 1)), 'unfit', /more than 64 KiB/],
    ['too short', () => file('abc\n'), 'unfit', /fewer than 4 characters/],
    ['a folder', () => folder, 'unreadable', /not a regular file|cannot be read/],
    ['a pipe that nobody writes to', () => pipe, 'unreadable', /not a regular file/],
  ] as const)('%s', async (_name, make, code, sentence) => {
    const path = make()
    const error = await readSecret({ file: path }, reading().sources).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SecretError)
    expect(error).toMatchObject({ code, message: expect.stringMatching(sentence), cure: expect.stringMatching(/./) })
    const { message, cure } = error as SecretError
    expect(message).toContain(path)
    expect(message + cure).not.toContain(value)
  })

  test('each with a cure of its own', async () => {
    const cureOf = async (content: string) => {
      const error: unknown = await readSecret({ file: file(content) }, reading().sources).catch((thrown: unknown) => thrown)
      return (error as SecretError).cure
    }
    expect(await Promise.all(['', 'a\0bcd', 'abc'].map(cureOf))).toEqual([
      'put the secret into it',
      'name the file that has the secret as text',
      'see whether it is the whole secret; if it is, use a longer one',
    ])
  })

  test.each(['k', 'abc', ' abc \n'])('too short to be kept out of the log, so no line is changed by it: %j', async (short) => {
    const { sources, registry } = reading({ KEY: short })
    const words = 'has fewer than 4 characters, too few to be kept out of the log'
    await expect(readSecret({ env: 'KEY' }, sources)).rejects.toMatchObject({ message: `environment variable KEY ${words}` })
    await expect(readSecret({ file: file(short) }, sources)).rejects.toMatchObject({ code: 'unfit' })
    expect(registry.scrub(`${words}, back to abc`)).toBe(`${words}, back to abc`)
  })

  test('shortest that is taken, and kept out of the log', async () => {
    const { sources, registry } = reading({ KEY: 'abcd' })
    expect(await readSecret({ env: 'KEY' }, sources)).toBe('abcd')
    expect(registry.scrub('abc, abcd')).toBe(`abc, ${replacement}`)
  })

  test('largest that is taken', async () => {
    const { sources } = reading()
    expect(await readSecret({ file: file('x'.repeat(secretBytesMax)) }, sources)).toHaveLength(secretBytesMax)
  })

  test.skipIf(process.getuid?.() === 0)('not ours to read', async () => {
    await expect(readSecret({ file: file(value, 0o000) }, reading().sources)).rejects.toMatchObject({
      code: 'unreadable',
      cure: expect.stringContaining('fsGroup'),
    })
  })
})
