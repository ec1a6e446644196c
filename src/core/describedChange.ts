import type { Change } from './change.ts'
import type { GroupSync } from './groupSync.ts'
import type { Key } from './mapping.ts'
import type { DescribedChange, WaiverWords } from './waiverWords.ts'

/** Whether the words of a waiver describe a change. */
export function describer(words: WaiverWords | undefined): (change: Change) => boolean {
  const settings: DescribedChange[] = []
  const byKey = new Map<Key, DescribedChange[]>()
  for (const one of words?.changes ?? []) {
    if (!('key' in one)) settings.push(one)
    else byKey.set(one.key, [...(byKey.get(one.key) ?? []), one])
  }
  return (change) => (change.action === 'settings' ? settings : (byKey.get(change.key) ?? [])).some((one) => isDescribed(change, one))
}

function isDescribed(change: Change, one: DescribedChange): boolean {
  if (change.action === 'settings') return !('key' in one) && isSame(one.before, change.before) && isSame(one.after, change.after)
  if (!('key' in one) || one.key !== change.key) return false
  const after = change.action === 'delete' ? undefined : change.role
  const before = change.action === 'create' ? undefined : change.before
  const fromGroup = change.action === 'rename' ? change.fromGroup : undefined
  // A group that was deleted and made again has another id. A delete takes the role away from whichever group has it.
  const isMeant = one.groupId === undefined || after === undefined || one.groupId === change.groupId
  return one.after === after && one.before === before && one.fromGroup === fromGroup && isMeant
}

const isSame = (one: GroupSync, other: GroupSync): boolean => {
  const names = Object.keys({ ...one, ...other }) as (keyof GroupSync)[]
  return names.every((name) => one[name] === other[name])
}
