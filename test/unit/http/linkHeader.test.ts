import { describe, expect, test } from 'vitest'
import { areLinksReadable, linkOf } from '../../../src/http/linkHeader.ts'
import { cpuMsOf } from '../cpuTime.ts'

describe('the header Link', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['<https://a/?x=1>; rel="next"', 'https://a/?x=1'],
    ['<https://a/1>; rel="self", <https://a/2>; rel="next"', 'https://a/2'],
    ['<https://a/1>;rel=self,<https://a/2>;title="a, <b>; rel=next";rel=next', 'https://a/2'],
    ['<https://a/?x=1,2;3>; rel="prev next"', 'https://a/?x=1,2;3'],
    ['<https://a/2>; REL="NEXT"', 'https://a/2'],
    ['<https://a/2>; title="rel=next"', undefined],
    ['<https://a/2>; rel="nextish"', undefined],
    // A parameter inside of a text in quotes is none, and only the first `rel` counts (RFC 8288 §3.3).
    ['<https://a/2>; title="page; rel=self"; rel="next"', 'https://a/2'],
    [String.raw`<https://a/2>; title="say \"; rel=self"; rel="next"`, 'https://a/2'],
    ['<https://a/1>; title="; rel=next"; rel="self"', undefined],
    ['<https://a/2>; rel="self"; rel="next"', undefined],
    ['<https://a/2>; rel ; title=x; rel = "next"', 'https://a/2'],
    ['<https://a/2>', undefined],
    ['https://a/2; rel="next"', undefined],
  ])('%j: %j', (header, link) => {
    expect(linkOf(header, 'next')).toBe(link)
  })

  test.each([
    // The name of a relation has no quotes (RFC 8288 §3.3), so this may be a link to a next page that was written anew.
    ["<https://a/1>; rel=self, <https://a/2>; rel='next'", false],
    ['<https://a/1>; rel=self, <https://a/2>; rel=“next”', false],
    ['<https://a/1>; rel="self https://b/Rel?x", <https://a/2>; rel=prev-1.x', true],
    ['', true],
    ['<https://a/1>; rel="self", <https://a/2>; rel="next"', true],
    ['<https://a/1>;rel=self,<https://a/2>;title="a, <b>; rel=next";rel=next', true],
    ['<https://a/1>; rel="self", ', true],
    ['damaged', false],
    ['<https://a/2>', false],
    ['https://a/2; rel="next"', false],
    [`<https://a/1>; rel="self", <https://a/2>; rel*=UTF-8''next`, false],
    ['<https://a/1>; rel="self", <https://a/2', false],
    ['<https://a/1>; rel="self", https://a/2>; rel="next"', false],
    ['<https://a/1>; rel="self" <https://a/2>; rel="next"', false],
    [`<https://a/1>; rel="self"${' '.repeat(40_000)}`, false],
  ])('%j can be read whole: %j', (header, isReadable) => {
    expect(areLinksReadable(header)).toBe(isReadable)
  })

  test('of any length is read at once', () => {
    const cpuMs = cpuMsOf(() => {
      for (const text of ['<', '<a>;', '<a>; rel="', '<a>; x="\\', '<a>;"a""a"', '<a>; ;']) {
        expect(linkOf(text.repeat(20_000), 'next')).toBeUndefined()
        expect(areLinksReadable(text.repeat(5_000))).toBe(false)
      }
    })
    expect(cpuMs).toBeLessThan(2_000)
  })
})
