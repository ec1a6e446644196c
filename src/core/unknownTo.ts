import type { Hold, HoldReason } from './hold.ts'
import { listed } from './quantity.ts'

/**
 * Sentences about a group that directories do not have. Each names the directories that were asked. That another one has the group is said only of a
 * directory that the run read for other rules: no request is sent for a hint.
 */

/** `corp does not know this group`; the group is `it`, or in quotes. */
export const lackText = (directories: readonly string[], group = 'this group'): string =>
  `${listed(directories)} ${directories.length === 1 ? 'does not know' : 'do not know'} ${group}`

/** What to do if the rule should ask one of the directories that have the group. */
export const otherDirectoryCure = ([only = '', ...others]: readonly string[]): string =>
  others.length === 0
    ? `if the group of ${only} is meant, let the "from" of the rule name ${only}`
    : 'if the group of one of these is meant, let the "from" of the rule name that directory'

/** `corp does not know this group, and its rule asks no other directory; idp has a group of this name` */
export function groupUnknownText({
  directories,
  asksOnly,
  elsewhere = [],
}: Pick<Extract<HoldReason, { kind: 'groupUnknown' }>, 'directories' | 'asksOnly' | 'elsewhere'>): string {
  if (directories.length === 0) return 'the settings have no directory that could know this group'
  const only = asksOnly === true ? ', and its rule asks no other directory' : ''
  const others = elsewhere.length === 0 ? '' : `; ${listed(elsewhere)} ${elsewhere.length === 1 ? 'has' : 'have'} a group of this name`
  return `${lackText(directories)}${only}${others}`
}

/** Of the group of an undeclared mapping: `corp does not know this group, and idp is asked by no rule`. Empty if it is not known. */
export const unknownToText = ({ unknownTo, unasked = [] }: Pick<Hold, 'unknownTo' | 'unasked'>): string =>
  unknownTo === undefined
    ? ''
    : lackText(unknownTo) + (unasked.length === 0 ? '' : `, and ${listed(unasked)} ${unasked.length === 1 ? 'is' : 'are'} asked by no rule`)
