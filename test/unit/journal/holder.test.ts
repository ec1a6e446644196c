import { expect, test } from 'vitest'
import { type Holder, holderText, type LockedAs } from '../../../src/journal/holder.ts'

const holder = (as?: LockedAs): Holder => ({ token: 't', pid: 7, host: 'here', sinceMs: 0, ...(as === undefined ? {} : { as }) })
const textOf = (held: LockedAs | undefined, as: LockedAs) => holderText(holder(held), { ...holder(as), pid: 8 }).split('Z. ')[1]

const stop = 'stop it first, then apply, then start it again'

test.each<[LockedAs | undefined, LockedAs, string]>([
  ['daemon', 'apply', 'It is a daemon: let it do the work (kill -HUP 7 makes it reconcile now), or stop it first'],
  ['daemon', 'run --once', 'It is a daemon: let it do the work (kill -HUP 7 makes it reconcile now), or stop it first'],
  ['daemon', 'apply --allow', `It is a daemon, and a running daemon takes no --allow: ${stop}`],
  [undefined, 'apply', 'Let it do the work, or stop it first'],
  [undefined, 'apply --allow', `If it is a daemon, it takes no --allow: ${stop}`],
  ['apply', 'apply --allow', 'It is an `apply`: wait until it ends, or stop it first'],
  ['apply --allow', 'daemon', 'It is an `apply`: wait until it ends, or stop it first'],
  ['run --once', 'apply --allow', 'It is a `run --once`: wait until it ends, or stop it first'],
])('a journal of %s, for %s', (held, as, text) => {
  expect(textOf(held, as)).toBe(text)
})

test('a lock that cannot be read', () => {
  expect(holderText(undefined, holder('apply'))).toBe('another process writes this journal. Let it do the work, or stop it first')
  expect(holderText(undefined, holder('apply --allow'))).toBe(
    `another process writes this journal. If it is a daemon, it takes no --allow: ${stop}`,
  )
})
