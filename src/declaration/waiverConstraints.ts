import type { z } from '../yaml/zod.ts'
import { oneTargetChoice } from './constraints.ts'

/** The keys and values of an entry, which may be wrong. */
type Written = Readonly<Record<string, unknown>>
type Context = z.core.$RefinementCtx

const mappingKeys = ['group', 'project', 'allProjects', 'workspace', 'from', 'to', 'previously', 'id']
const limitKeys = ['guard', 'count', 'changes']

/** A waiver is about mappings, about settings, or about a limit of the whole plan. */
export function oneForm(written: Written, context: Context): void {
  const limit = limitKeys.find((key) => key in written)
  if (limit === undefined)
    return checkChange(written, context, 'add group, with its target, from and to; or groupSync; or guard, count and changes')
  const { addMissing, refuseKey } = adding(written, context)
  for (const key of limitKeys) addMissing(key, 'a limit of the whole plan needs guard, count and changes')
  for (const key of [...mappingKeys, 'groupSync']) refuseKey(key, limit, 'write the change as an entry of "changes"')
  refuseKey('people', limit, 'the limits on people are about single changes: write another waiver for them')
}

/** A described change is about mappings or about settings. */
export const oneChange = (written: Written, context: Context): void =>
  checkChange(written, context, 'add group, with its target, from and to; or groupSync')

function checkChange(written: Written, context: Context, cure: string): void {
  const { add, refuseKey } = adding(written, context)
  if ('groupSync' in written) {
    for (const key of mappingKeys) refuseKey(key, 'groupSync', 'a mapping and the settings change by two changes: write two entries')
    refuseKey('people', 'groupSync', 'the limits on people are not about settings: remove it')
    return settingsChange(written, context)
  }
  if (!mappingKeys.some((key) => key in written)) return add([], 'this does not say what may pass', cure)
  mappingChange(written, context)
}

function settingsChange(written: Written, context: Context): void {
  const { add } = adding(written, context)
  for (const [name, step] of Object.entries(written['groupSync'] ?? {})) {
    if (typeof step !== 'object' || step === null || !('from' in step) || !('to' in step) || step.from !== step.to) continue
    add(['groupSync', name], `"${name}" is the same before and after`, 'remove it, or correct "from" or "to"')
  }
}

function mappingChange(written: Written, context: Context): void {
  const { add, addMissing, addAtKey, refuseKey } = adding(written, context)
  addMissing('group', 'the exact name of the group, or a list of names')
  oneTargetChoice(written, context)
  addMissing('from', 'the role before the change; none if there is no mapping yet')
  addMissing('to', 'the role after the change; none if the mapping is deleted')
  const { group, from, to, previously } = written
  if ('from' in written && from === to && to !== null) {
    if (from === 'none')
      add(['to'], '"from" and "to" are both none, so there is no change', 'write the role before a delete, or after a create')
    else if (!('previously' in written))
      add(
        ['to'],
        '"from" and "to" are the same, so there is no change',
        'write the role before and the role after; for a rename add "previously"',
      )
  }
  if (Array.isArray(group) && group.length > 1) {
    addAtKey('id', '"id" needs one "group"', 'it is the id of that one group: write an entry for each group')
    addAtKey('previously', '"previously" needs one "group"', 'it is the old name of that one group: write an entry for each group')
  }
  if (to === 'none') refuseKey('id', 'to: none', 'a delete takes the role from the group of this name, whatever its id is: remove "id"')
  if (from === 'none' || to === 'none')
    addAtKey('previously', '"previously" needs a role before and after', 'a rename has the role of the mapping in "from" and in "to"')
  if (typeof previously === 'string' && previously === group)
    add(['previously'], '"previously" is the group itself', 'write the group that the mapping has now')
}

/** Functions that add issues about an entry. */
function adding(written: Written, context: Context) {
  const add = (path: readonly string[], message: string, cure: string, key = false): void =>
    context.addIssue({ code: 'custom', path: [...path], message, params: { cure, key } })
  const addAtKey = (key: string, message: string, cure: string): void => {
    if (key in written) add([key], message, cure, true)
  }
  return {
    add,
    addAtKey,
    addMissing: (key: string, cure: string): void => {
      if (!(key in written)) add([], `"${key}" is missing`, cure)
    },
    refuseKey: (key: string, other: string, cure: string): void => addAtKey(key, `"${key}" cannot stand beside "${other}"`, cure),
  }
}
