import { describe, expect, test } from 'vitest'
import { openLiveLine } from '../../../src/log/liveLine.ts'

/** The rows that a terminal shows. It knows line breaks, `\r`, and erasing to the end of the screen. */
function screen(columns: number | undefined = 20) {
  let text = ''
  let cursor = 0
  const write = (more: string) => {
    for (const part of more.replaceAll('\u001b[J', '\f').split(/([\r\n\f])/)) {
      if (part === '\r') cursor = text.lastIndexOf('\n', cursor - 1) + 1
      else if (part === '\f') text = text.slice(0, cursor)
      else {
        text = text.slice(0, cursor) + part + text.slice(cursor + part.length)
        cursor += part.length
      }
    }
  }
  const line = openLiveLine({ shown: (one) => one.replaceAll('secret', '***'), write, columns: () => columns })
  const say = (more: string) => line.around(more, () => write(more))
  return { line, say, rows: () => text.split('\n') }
}

describe('the line of a terminal that is drawn again', () => {
  test('replaces itself, also by a shorter text, and vanishes', () => {
    const { line, rows } = screen()
    line.show(() => 'a long text')
    line.show(() => 'short')
    expect(rows()).toEqual(['short'])
    line.hide()
    expect(rows()).toEqual([''])
  })

  test('stays below other text', () => {
    const { line, say, rows } = screen()
    line.show(() => '1/2 written')
    say('a line of the log\n')
    expect(rows()).toEqual(['a line of the log', '1/2 written'])
    line.show(() => '2/2 written')
    say('two\nlines\n')
    line.hide()
    expect(rows()).toEqual(['a line of the log', 'two', 'lines', ''])
  })

  test('does not erase text that has no line break yet', () => {
    const { line, say, rows } = screen()
    line.show(() => '1/2 written')
    say('half ')
    line.show(() => '2/2 written')
    expect(rows()).toEqual(['half '])
    say('of a line\n')
    expect(rows()).toEqual(['half of a line', '2/2 written'])
  })

  test.each([
    [20, 19],
    [undefined, 79],
    [0, 79],
  ])('%s columns: a text gets %d', (columns, room) => {
    const { line, rows } = screen(columns === 20 ? 20 : 0)
    line.show((width) => String(width))
    expect(rows()).toEqual([String(room)])
  })

  test('shows no secret', () => {
    const { line, rows } = screen()
    line.show(() => 'waits for secret')
    expect(rows()).toEqual(['waits for ***'])
  })
})
