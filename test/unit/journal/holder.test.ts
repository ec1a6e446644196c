import { expect, test } from 'vitest'
import { type Holder, holderText, type LockedAs } from '../../../src/journal/holder.ts'

const holder = (as?: LockedAs): Holder => ({ token: 't', pid: 7, host: 'here', sinceMs: 0, ...(as === undefined ? {} : { as }) })
const textOf = (held: LockedAs | undefined, as: LockedAs) => holderText(holder(held), { ...holder(as), pid: 8 }).split('Z. ')[1]

test.each<[LockedAs | undefined, LockedAs, string]>([
  ['daemon', 'apply', 'It is a daemon that has just started: repeat the command, and the daemon carries it out'],
  ['daemon', 'run --once', 'It is a daemon that has just started: repeat the command, and the daemon carries it out'],
  ['daemon', 'daemon', 'It is a daemon: let it do the work (plane-group-sync reconcile makes it run a cycle now), or stop it first'],
  [undefined, 'apply', 'Let it do the work, or stop it first'],
  ['apply', 'run --once', 'It is an `apply`: wait until it ends, or stop it first'],
  ['run --once', 'apply', 'It is a `run --once`: wait until it ends, or stop it first'],
])('a journal of %s, for %s', (held, as, text) => {
  expect(textOf(held, as)).toBe(text)
})

test('a lock that cannot be read', () => {
  expect(holderText(undefined, holder('apply'))).toBe('another process holds this journal. Let it do the work, or stop it first')
})
