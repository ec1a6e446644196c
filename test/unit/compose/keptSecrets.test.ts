import { describe, expect, test } from 'vitest'
import { openSecretCache } from '../../../src/compose/keptSecrets.ts'

/** The secrets of one file, which has another value at each reading: `value-1`, `value-2`. */
function opened(fails: (reading: number) => boolean = () => false) {
  let [nowMs, readings] = [1_000_000, 0]
  const read = async () => {
    const reading = ++readings
    if (fails(reading)) throw new Error('the file is gone')
    return `value-${reading}`
  }
  const secrets = openSecretCache(read, () => nowMs)
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { forget: secrets.forget, key: secrets.of({ file: 'key' }), pass }
}

describe('a secret that is asked for again', () => {
  test('soon, or at the same time, is not read again', async () => {
    const { key, pass } = opened()
    expect(await Promise.all([key(), key()])).toEqual(['value-1', 'value-1'])
    pass(4_999)
    expect(await key()).toBe('value-1')
  })

  test('after a few seconds is read anew', async () => {
    const { key, pass } = opened()
    await key()
    pass(5_000)
    expect(await key()).toBe('value-2')
  })

  test('in the next cycle is read anew, however soon', async () => {
    const { key, forget } = opened()
    await key()
    forget()
    expect(await key()).toBe('value-2')
  })

  test('after a failure is read anew', async () => {
    const { key } = opened((reading) => reading === 1)
    await expect(key()).rejects.toThrow('gone')
    expect(await key()).toBe('value-2')
  })
})
