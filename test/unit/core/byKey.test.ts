import { describe, expect, test } from 'vitest'
import { byKeyOf } from '../../../src/core/diff/byKey.ts'
import type { Key, Mapping } from '../../../src/core/mapping.ts'
import { mapping } from './smallWorld.ts'

const key = (text: string) => mapping(`${text} x`, 0).key
const found = (mappings: readonly Mapping[]) => mappings.map(({ id, role }) => `${id} ${role}`)

describe('mappings by key', () => {
  const rows = ['ENG devs guest', 'ENG ops member', 'ENG devs admin', 'ENG devs owner'].map(mapping)
  const workspace = [mapping('workspace devs admin', 9)]
  const byKey = () => byKeyOf([rows.toReversed(), workspace])

  test('one', () => {
    expect(byKey().only(key('ENG ops'))?.role).toBe('member')
    expect(found(byKey().at(key('ENG ops')))).toEqual(['m1 member'])
    expect(byKey().only(key('workspace devs'))?.id).toBe('m9')
  })
  test('several: none is the only one, and all are there in the order of their ids', () => {
    expect(byKey().only(key('ENG devs'))).toBeUndefined()
    expect(found(byKey().at(key('ENG devs')))).toEqual(['m0 guest', 'm2 admin', 'm3 owner'])
  })
  test('none', () => {
    expect(byKey().only('nothing' as Key)).toBeUndefined()
    expect(byKey().at('nothing' as Key)).toEqual([])
  })
  test('how many keys there are', () => {
    expect(byKey().keys).toBe(3)
    expect(byKeyOf([]).keys).toBe(0)
  })
  test('none twice is the same', () => {
    const single = byKeyOf([rows.slice(0, 2)])
    expect([single.keys, single.only(key('ENG devs'))?.role, found(single.at(key('ENG devs')))]).toEqual([2, 'guest', ['m0 guest']])
  })
})
