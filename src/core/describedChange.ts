import type { Change } from './change.ts'
import type { GroupSync } from './groupSync.ts'
import type { Key } from './mapping.ts'
import type { DescribedChange, WaiverWords } from './waiverWords.ts'

/** Whether the words of a waiver describe a change. */
export function describer(words: WaiverWords | undefined): (change: Change) => boolean {
  const settings: DescribedChange[] = []
  const byKey = new Map<Key, DescribedChange[]>()
  for (const description of words?.changes ?? []) {
    if (!('key' in description)) settings.push(description)
    else byKey.set(description.key, [...(byKey.get(description.key) ?? []), description])
  }
  return (change) =>
    (change.action === 'settings' ? settings : (byKey.get(change.key) ?? [])).some((description) => isDescribed(change, description))
}

function isDescribed(change: Change, description: DescribedChange): boolean {
  if (change.action === 'settings')
    return !('key' in description) && isSame(description.before, change.before) && isSame(description.after, change.after)
  if (!('key' in description) || description.key !== change.key) return false
  const after = change.action === 'delete' ? undefined : change.role
  const before = change.action === 'create' ? undefined : change.before
  const fromGroup = change.action === 'rename' ? change.fromGroup : undefined
  // A group that was deleted and made again has another id. A delete takes the role away from whichever group has it.
  const isMeant = description.groupId === undefined || after === undefined || description.groupId === change.groupId
  return description.after === after && description.before === before && description.fromGroup === fromGroup && isMeant
}

const isSame = (a: GroupSync, b: GroupSync): boolean => {
  const names = Object.keys({ ...a, ...b }) as (keyof GroupSync)[]
  return names.every((name) => a[name] === b[name])
}
