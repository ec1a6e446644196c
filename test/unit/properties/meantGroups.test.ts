import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { type MeantIds, withMeantIds } from '../../../src/core/memory/meantIds.ts'
import { complete, failed, groups, groupsIn, partial, pattern, rule, type SmallWorld, seenOf } from '../core/smallWorld.ts'
import { holds } from './runs.ts'

const names = ['devs', 'devops', 'ops'] as const
const rules = [rule('devs', 'ENG', 'member'), pattern('dev.*', 'ENG', 'guest'), pattern('.*ops', 'OPS', 'member')]
const selects = [['devs'], ['devs', 'devops'], ['devops', 'ops']] as const

/** One cycle: how the directory was read, name → id of the groups that it has, and the names that have a mapping. */
const anyCycle = fc.record({
  status: fc.constantFrom('complete', 'complete', 'complete', 'partial', 'failed'),
  ids: fc.dictionary(fc.constantFrom(...names), fc.constantFrom('1', '2', '3')),
  mapped: fc.subarray([...names]),
})
type Cycle = typeof anyCycle extends fc.Arbitrary<infer T> ? T : never

const worldOf = ({ status, ids, mapped }: Cycle, knownGroups: MeantIds): SmallWorld => {
  const index = groups(...Object.entries(ids).map(([name, id]) => `${name}#${id}`))
  const reading = status === 'failed' ? failed : status === 'partial' ? partial(index) : complete(index)
  return { rules, directories: { corp: reading }, existing: mapped.map((name) => `ENG ${name} guest`), knownGroups }
}

/** What the rules mean, in the plainest words: a rule means the first id that it saw whole under a name. A pattern forgets a name that is nowhere. */
function openModel() {
  const meant = new Map<string, string>()
  return ({ status, ids, mapped }: Cycle): readonly string[] =>
    selects.flatMap((selected, index) =>
      selected.flatMap((name) => {
        const key = `${index} ${name}`
        const now = status === 'failed' ? undefined : ids[name]
        const known = meant.get(key)
        if (status === 'complete' && known === undefined && now !== undefined) meant.set(key, now)
        if (status === 'complete' && index > 0 && now === undefined && !mapped.includes(name)) meant.delete(key)
        return known !== undefined && now !== undefined && known !== now ? [key] : []
      }),
    )
}

describe('the groups that rules mean', () => {
  holds(
    'A rule waits exactly for the groups whose id is another one than it first saw',
    300,
    fc.property(fc.array(anyCycle, { maxLength: 12 }), (cycles) => {
      const model = openModel()
      let known: MeantIds = {}
      for (const cycle of cycles) {
        const { changed, ids } = groupsIn(seenOf(worldOf(cycle, known)))
        const waits = rules.flatMap((one, index) => [...(changed.get(one)?.keys() ?? [])].map((name) => `${index} ${name}`))
        expect(waits.toSorted()).toEqual(model(cycle).toSorted())
        known = withMeantIds(known, ids)
      }
    }),
  )
})
