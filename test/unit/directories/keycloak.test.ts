import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pathOf } from '../../../src/directories/keycloak/tree.ts'
import { mapConcurrently } from '../../../src/directories/mapConcurrently.ts'
import { refusePlainHttp } from '../../../src/directories/overHttp/reader.ts'
import { isLoopback } from '../../../src/http/addressRanges.ts'

type Named = { readonly name: string; readonly parent?: Named }

describe('a path', () => {
  // Measured on Keycloak 26.7.3, without and with escape-slashes-in-group-path.
  test.each([
    [['Team 01', 'sub-1-1', 'leaf-1-1-1'], '/Team 01/sub-1-1/leaf-1-1-1', '/Team 01/sub-1-1/leaf-1-1-1'],
    [['a/b'], '/a/b', '/a~/b'],
    [['a/b/c', '/'], '/a/b/c//', '/a~/b~/c/~/'],
    [['a', 'b'], '/a/b', '/a/b'],
    [['tilde~x'], '/tilde~x', '/tilde~x'],
    [['tilde~/y'], '/tilde~/y', '/tilde~~/y'],
    [[' Space ', '100%'], '/ Space /100%', '/ Space /100%'],
  ])('of %j', (names, plain, escaped) => {
    const [top = '', ...inner] = names
    const node = inner.reduce<Named>((parent, name) => ({ name, parent }), { name: top })
    expect(pathOf(node, 'plain')).toBe(plain)
    expect(pathOf(node, 'escaped')).toBe(escaped)
  })
})

describe('abreast', () => {
  test('keeps order and never does more at a time than allowed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 30 }), fc.integer({ min: 1, max: 5 }), async (ticks, atOnce) => {
        let busy = 0
        const done = await mapConcurrently(ticks, atOnce, async (count) => {
          expect(++busy).toBeLessThanOrEqual(atOnce)
          for (let i = 0; i < count; i++) await Promise.resolve()
          busy--
          return count
        })
        expect(done).toEqual(ticks)
      }),
    )
  })

  test('begins nothing after a failure, and ends only when nothing is under way', async () => {
    const begun: number[] = []
    let ended = 0
    const work = async (item: number) => {
      begun.push(item)
      if (item === 1) throw new Error('one')
      for (let i = 0; i < 5; i++) await Promise.resolve()
      ended++
    }
    await expect(mapConcurrently([0, 1, 2, 3, 4], 2, work)).rejects.toThrow('one')
    expect(begun).toEqual([0, 1])
    expect(ended).toBe(1)
  })
})

describe('plain http', () => {
  test.each(['http://127.0.0.1:8080', 'http://127.9.9.9', 'http://localhost', 'http://[::1]:1', 'https://example.org'])(
    '%s is fine',
    (url) => {
      expect(() => refusePlainHttp(new URL(url), false)).not.toThrow()
    },
  )

  test.each([
    'http://example.org',
    'http://10.0.0.1',
    'http://127.0.0.1.example.org',
    'http://localhost.example.org',
    'ftp://127.0.0.1',
    'http://0.0.0.0',
  ])('%s is not', (url) => {
    expect(() => refusePlainHttp(new URL(url), false)).toThrow('without encryption')
  })

  test('unless it was asked for', () => {
    expect(() => refusePlainHttp(new URL('http://keycloak.identity.svc:8080'), true)).not.toThrow()
    expect(isLoopback(new URL('http://keycloak.identity.svc:8080').hostname)).toBe(false)
  })
})
