import { describe, expect, test } from 'vitest'
import { DirectoryError } from '../../../src/directories/directoryError.ts'
import { type LoggerOptions, openLogger } from '../../../src/log/logger.ts'

function logging(more: Partial<LoggerOptions> = {}) {
  let text = ''
  const stream = { isTTY: false, write: (line: string) => (text += line) }
  const log = openLogger({
    level: 'info',
    format: 'auto',
    color: false,
    stream,
    scrub: (line) => line,
    now: () => 1_700_000_000_000,
    ...more,
  })
  return { log, stream, text: () => text, json: () => JSON.parse(text) as Record<string, unknown> }
}

describe('json', () => {
  test('is what a pipe gets: one object a line, level by name, no pid', () => {
    const { log, json } = logging()
    log.notice({ event: 'change', group: 'devs' }, 'acme + ENG devs')
    expect(json()).toEqual({ level: 'notice', time: '2023-11-14T22:13:20.000Z', event: 'change', group: 'devs', msg: 'acme + ENG devs' })
  })

  test('keeps the value of what cannot be seen, and shows it as escapes', () => {
    const { log, text, json } = logging()
    const group = 'a\u202Eb\u009B31m\u{E0041}c\u2028d'
    log.info({ group }, 'x')
    expect(text()).not.toMatch(/[\u202E\u009B\u2028]|\u{E0041}/u)
    expect(json().group).toBe(group)
  })
})

describe('pretty', () => {
  test('is what a terminal gets under auto', () => {
    const { log, stream, text } = logging({ format: 'pretty' })
    log.notice({ event: 'change', group: 'devs' }, 'acme + ENG devs')
    expect(text()).toMatch(/^\[\d\d:\d\d:\d\d\] CHANGE: acme \+ ENG devs\n$/)
    expect(stream.isTTY).toBe(false)
    let auto = ''
    const terminal = { isTTY: true, write: (line: string) => (auto += line) }
    logging({ stream: terminal }).log.info('hello')
    expect(auto).toMatch(/INFO: hello/)
  })

  test('shows the fields of other lines', () => {
    const { log, text } = logging({ format: 'pretty' })
    log.info({ port: 9464 }, 'listening')
    expect(text()).toContain('listening {"port":9464}')
  })

  test('has colours only where they are asked for', () => {
    const plain = logging({ format: 'pretty' })
    plain.log.error('x')
    const coloured = logging({ format: 'pretty', color: true })
    coloured.log.error('x')
    expect(plain.text()).not.toContain('\u001B')
    expect(coloured.text()).toContain('\u001B')
  })

  test('a name from outside moves no cursor and forges no line', () => {
    const { log, text } = logging({ format: 'pretty' })
    log.info({ group: 'x\u001B[2J' }, 'group a\u001B]0;title\u0007\n[00:00:00] CHANGE: forged')
    expect(text()).not.toContain('\u001B')
    expect(
      text()
        .split('\n')
        .filter((line) => line.startsWith('[')),
    ).toHaveLength(1)
  })

  test('an error is shown, but not again where the message has its words', () => {
    const err = Object.assign(new Error('the disk is full'), { code: 'ENOSPC' })
    const shown = logging({ format: 'pretty' })
    shown.log.error({ event: 'cycle', err }, 'this cycle came to nothing')
    expect(shown.text()).toContain('the disk is full')
    const worded = logging({ format: 'pretty' })
    worded.log.error({ event: 'failure', err }, 'acme failed: the disk is full')
    expect(worded.text().match(/the disk is full/g)).toHaveLength(1)
  })
})

describe('levels', () => {
  test.each([
    ['debug', 5],
    ['info', 4],
    ['notice', 3],
    ['change', 3],
    ['warn', 2],
    ['error', 1],
    ['silent', 0],
  ] as const)('%s shows %i of the five', (level, count) => {
    const { log, text } = logging({ level })
    for (const one of ['debug', 'info', 'notice', 'warn', 'error'] as const) log[one](one)
    expect(text().split('\n').filter(Boolean)).toHaveLength(count)
  })
})

describe('errors', () => {
  test('only what is worded: no request, no header, no list of secrets', () => {
    const { log, json } = logging()
    const cause = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED', address: '10.0.0.1' })
    log.error({
      err: Object.assign(new DirectoryError('unreachable', 'not reachable', { cause, cure: 'start it' }), { where: { secrets: ['k'] } }),
    })
    expect(json().err).toEqual({
      type: 'DirectoryError',
      message: 'not reachable',
      code: 'unreachable',
      cure: 'start it',
      causes: ['connection refused'],
    })
  })

  test('the same under the name error', () => {
    const { log, json } = logging()
    log.error({ error: Object.assign(new Error('x'), { code: 'y', where: { secrets: ['k'] } }) })
    expect(json().error).toEqual({ type: 'Error', message: 'x', code: 'y' })
  })

  test('a defect shows where it is', () => {
    const { log, json } = logging()
    log.error({ err: new TypeError('undefined is not a function') })
    expect(json().err).toMatchObject({ type: 'TypeError', stack: expect.stringContaining('logger.test.ts') })
  })

  test('one with a name of its own is worded, and does not', () => {
    class DiskFull extends Error {
      override readonly name = 'DiskFull'
    }
    const { log, json } = logging()
    log.error({ err: new DiskFull('the disk is full') })
    expect(json().err).toEqual({ type: 'DiskFull', message: 'the disk is full' })
  })

  test('a chain of causes without an end is cut', () => {
    const { log, json } = logging()
    const loop = new Error('a')
    loop.cause = new Error('b', { cause: loop })
    log.error({ err: loop })
    expect(json().err).toMatchObject({ message: 'a' })
  })
})
