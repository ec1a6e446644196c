import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { type Loss, openLossyOutput } from '../../../src/log/lossyOutput.ts'

type Mode = 'well' | 'full' | 'stalled'

/** A stream like that of a process: it can be used again after an error. */
function device() {
  let mode: Mode = 'well'
  let taken = ''
  const waiting: (() => void)[] = []
  const stream = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      const take = () => {
        taken += text
        done()
      }
      if (mode === 'full') done(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
      else if (mode === 'stalled') waiting.push(take)
      else take()
    },
    // Node does the same for the streams of a process.
    destroy(error, done) {
      done(error)
      Reflect.apply(Reflect.get(this, '_undestroy') as () => void, this, [])
    },
  })
  const losses: Loss[] = []
  const output = openLossyOutput(stream as unknown as NodeJS.WriteStream)
  output.onRecovery((loss) => losses.push(loss))
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    output,
    losses,
    taken: () => taken,
    set: (next: Mode) => {
      mode = next
    },
    settle,
    /** Takes all waiting writes, one after the other. */
    async drain() {
      mode = 'well'
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        next()
        await settle()
      }
    },
  }
}

describe('standard error', () => {
  test('what it takes is written as it is, and nothing counts as lost', async () => {
    const { output, taken, losses, settle } = device()
    output.write('one\n')
    output.write('two\n')
    await settle()
    expect([taken(), output.linesLost(), losses]).toEqual(['one\ntwo\n', 0, []])
  })

  test('lines for a full disk are counted, and are told once when it takes lines again', async () => {
    const { output, taken, losses, set, settle } = device()
    set('full')
    output.write('one\n')
    await settle()
    output.write('two\nthree\n')
    await settle()
    expect([output.linesLost(), losses]).toEqual([3, []])
    set('well')
    output.write('four\n')
    await settle()
    output.write('five\n')
    await settle()
    // The disk may have taken a part of the line before, so a new line begins.
    expect(taken()).toBe('\nfour\nfive\n')
    expect([output.linesLost(), losses]).toEqual([3, [{ lines: 3, why: 'the disk is full, or its file system takes no further file' }]])
  })

  test('lines for a reader that does not read wait up to a megabyte, then they are counted', async () => {
    const { output, losses, set, settle, drain, taken } = device()
    set('stalled')
    const line = `${'x'.repeat(99_999)}\n`
    for (let n = 0; n < 25; n++) output.write(line)
    await settle()
    expect(output.linesLost()).toBe(15)
    expect(losses).toEqual([])
    await drain()
    expect(taken()).toBe(line.repeat(10))
    expect(losses).toEqual([{ lines: 15, why: 'its reader does not read' }])
    expect(output.linesLost()).toBe(15)
  })
})
