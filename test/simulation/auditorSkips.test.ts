import { describe, expect, test } from 'vitest'
import type { DeclaredRule } from './declared.ts'
import { change, knowing, type Scene, scene } from './scene.ts'

const sends: DeclaredRule = { captured: ['eng'], map: {}, at: '', role: 'guest', sendsProject: true }
const skips: DeclaredRule = { captured: ['eng'], map: { eng: ['ENG', 'LAB'] }, at: '', role: 'admin', skipsProject: true }
const guests = { group: 'guests', at: 'ENG', role: 'guest' }
const engA = { group: 'eng-a', at: 'ENG', role: 'guest' }

function granted(one: Scene, row = engA): readonly string[] {
  one.start(1)
  one.show({ 'eng-a': '1' })
  one.look(1)
  one.grant(1, row)
  return one.wrongs('declared')
}

describe('a rule that skips unknown projects, beside one that gives another role', () => {
  const versions = [[0, [sends, skips]]] as const

  test('says nothing about a project that was never known', () => {
    const one = scene({ versions, rows: [] })
    one.change(change)
    expect(granted(one)).toEqual([])
  })

  test('says nothing if it is the only rule, either', () => {
    expect(granted(scene({ versions, rows: [] }), { ...engA, at: 'LAB', role: 'admin' })).toEqual(['its key is undeclared'])
  })

  test.each([
    ['is shown by the list', () => scene({ versions, rows: [] })],
    [
      'is shown by a mapping',
      () => {
        const one = scene({ versions, rows: [guests] })
        one.change({ does: 'vanish', project: 'ENG', takes: false })
        return one
      },
    ],
    [
      'is known from before',
      () => {
        const one = scene({ versions, rows: [guests] })
        one.show({ 'eng-a': '1' })
        one.start(0)
        one.look(0)
        one.end(0)
        one.change(change)
        return one
      },
    ],
  ])('decides with it if the project %s', (_how, made) => expect(granted(made())).toEqual(['its key is unknown']))

  test('may decide with it if the project may be known from before', () => {
    const one = knowing({ versions, rows: [guests] })
    one.hear({ is: 'power', process: 0 })
    one.change(change)
    expect(granted(one)).toEqual([])
  })
})
