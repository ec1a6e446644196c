import { describe, expect, test } from 'vitest'
import type { LastDocument } from '../../../src/documents/last.ts'
import { ofOwner } from '../../../src/render/ofOwner.ts'
import { statusText } from '../../../src/render/statusText.ts'
import { widthOf } from '../../../src/render/width.ts'
import { approvals, failedView, last, overLimit, quietView, statusOf, waiting } from './lastParts.ts'

const shown = (of: LastDocument, trouble: readonly string[] = [], owner?: string) =>
  statusText(statusOf(of, trouble.length === 0 ? {} : { daemon: 'none', trouble }), { colour: false, width: 80 }, owner)

const everything = last(
  [
    [quietView('beta'), 'success'],
    [waiting, 'incomplete'],
    [quietView('gamma'), 'success'],
    [overLimit, 'waiting'],
    [failedView, 'failed'],
  ],
  {
    approvals,
    declaration: {
      hash: '4f2c91e0'.repeat(8),
      files: 14,
      kept: 'teams/pay/a.yaml:4:10: the project "ENG" is outside (fence "teams/pay/**")',
      keptFiles: [{ file: 'teams/pay/a.yaml', owner: 'team-pay', isUsed: true }],
    },
    seen: new Map([['acme', new Map()]]),
  },
)

describe('the text of status', () => {
  test('of a cycle with everything', async () => {
    const text = shown(everything)
    await expect(`${text}\n`).toMatchFileSnapshot('snapshots/status.txt')
    for (const line of text.split('\n')) expect(widthOf(line), line).toBeLessThanOrEqual(80)
  })

  test('of a cycle with everything, in colour', async () => {
    const status = statusOf(everything, { trouble: ['No daemon holds the journal'] })
    const coloured = statusText(status, { colour: true, width: 80 })
    await expect(`${coloured.replaceAll('\u001B', '␛')}\n`).toMatchFileSnapshot('snapshots/status-colour.txt')
  })

  test('of a daemon that is gone, for one owner', async () => {
    const of = ofOwner(everything, 'team-pay', () => undefined)
    await expect(`${shown(of, ['No daemon holds the journal. What follows is 2 min old'], 'team-pay')}\n`).toMatchFileSnapshot(
      'snapshots/statusOwner.txt',
    )
  })

  test('of quiet workspaces is short', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    const text = shown(last(names.map((name) => [quietView(name), 'success'])))
    expect(text.split('\n').slice(-1)).toEqual(['Nothing waits in a, b, c, d, e and 2 more'])
  })
})
