import { expect, test } from 'vitest'
import type { WorkspaceName } from '../../../../src/core/mapping.ts'
import { outcomeText } from '../../../../src/core/render/applied.ts'
import { plansText } from '../../../../src/core/render/text.ts'
import type { AppliedSeen } from '../../../../src/core/render/view.ts'
import { about, at, create, face, held, nowMs, patch, remove, view } from './sample.ts'

const options = { colour: false, width: 100 }
const snapshot = (name: string) => `./snapshots/${name}.txt`

const [lost, refused, unsent, written, echoed] = [
  create('ENG', 'lost', 'member', at('a.yaml:1')),
  create('ENG', 'refused', 'superuser', at('a.yaml:2')),
  create('ENG', 'unsent', 'member', at('a.yaml:3')),
  remove('ENG', 'written', 'member', 'removed', at('a.yaml:4')),
  patch('ENG', 'echoed', 'guest', 'member', at('a.yaml:5')),
] as const
const left = Array.from({ length: 20 }, (_, n) => create('OPS', `left-${n}`, 'guest', at(`b.yaml:${n}`)))
const troubled: AppliedSeen = {
  results: [
    { change: written, outcome: { is: 'done' } },
    { change: echoed, outcome: { is: 'done', echoed: 'contributor' } },
    { change: refused, outcome: { is: 'refused', status: 400, code: 'rejected', sentence: 'Role "superuser" is not a valid choice.' } },
    { change: lost, outcome: { is: 'unknown', why: 'the connection was cut before the answer was whole', lastByteMs: nowMs - 3000 } },
    { change: unsent, outcome: { is: 'notSent', why: 'connect ECONNREFUSED 10.0.0.1:443' } },
  ],
  holds: [
    held(unsent, { kind: 'suspended', what: 'all' }),
    held(remove('ENG', 'after', 'member', 'removed'), { kind: 'requires', key: lost.key }),
  ],
  left,
  stopped: 'unreachable',
}

test('what went wrong comes first, each with what follows from it', async () => {
  await expect(`${plansText([view(face, { applied: troubled })], options)}\n`).toMatchFileSnapshot(snapshot('applied-troubled'))
})

test('a change that could not be sent and was then held counts once', () => {
  expect(plansText([view(face, { applied: troubled })], options)).toContain(
    '2 of 26 written, 1 unknown, 1 refused, 1 not sent, 1 held, 20 not tried',
  )
})

test('of a repeated write, until when its first sending may still be executed', () => {
  const earlierLastByteMs = nowMs - 3000
  const told = (outcome: Parameters<typeof outcomeText>[0]) => outcomeText(outcome, echoed, about, nowMs)
  const alone = 'left alone until 02:16:27 UTC (in 1 min 57 s), then read again and planned anew'
  expect(told({ is: 'notSent', why: 'refused.', earlierLastByteMs })).toBe(`refused; an earlier sending got no answer: ${alone}`)
  expect(told({ is: 'refused', status: 404, code: 'gone', sentence: 'no.', earlierLastByteMs })).toBe(
    `404: no; planned anew from the next read; an earlier sending got no answer: ${alone}`,
  )
  expect(told({ is: 'done', earlierLastByteMs })).toBe('')
})

test.each(['slice', 'credential', 'throttled', 'unreachable', 'signal', undefined] as const)('what is next after %s', (stopped) => {
  const text = plansText([view(face, { applied: { results: [], holds: [], left, ...(stopped && { stopped }) } })], {
    ...options,
    width: 300,
  })
  expect(text.split('\n').find((line) => line.startsWith('Next: '))).toMatchSnapshot()
})

test('several workspaces, and a line over all', async () => {
  const changes = face.changes ?? []
  const applied: AppliedSeen = { results: changes.map((change) => ({ change, outcome: { is: 'done' } })), holds: [], left: [] }
  const beta = { ...about, workspace: 'beta' as WorkspaceName, slug: 'beta-stg' }
  const views = [
    view(face, { applied }),
    view({}, { applied: { results: [], holds: [], left: [] } }),
    { about: beta, failed: 'GET https://plane.example.com/api/v1/workspaces/beta-stg/: 403, the key may not read this workspace' },
  ]
  await expect(`${plansText(views, options)}\n`).toMatchFileSnapshot(snapshot('several'))
})
