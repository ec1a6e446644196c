import { whole } from '../../core/fields.ts'
import type { GroupName, Key, Role, WorkspaceName } from '../../core/mapping.ts'
import type { Approval } from '../../core/memory/approvals.ts'
import type { DescribedChange, GuardName, WaiverWords } from '../../core/waiverWords.ts'
import { groupSyncFromStored, type StoredGroupSync, storedGroupSync } from './groupSync.ts'
import { inField, read, type Tell } from './unknown.ts'

/** A person's approval in the journal. */
export type StoredApproval = {
  readonly name: string
  readonly workspace: WorkspaceName
  readonly words?: StoredWords | undefined
  readonly passes: readonly string[]
  readonly by: string
  readonly account: string
  readonly reason: string
  readonly fromMs: number
  readonly untilMs: number
}

type StoredWords = {
  readonly changes: readonly StoredDescription[]
  readonly limit?: { readonly guard: GuardName | 'creates'; readonly count: number } | undefined
  readonly people?: number | 'any' | undefined
}

type StoredDescription =
  | {
      readonly key: Key
      readonly fromGroup?: GroupName | undefined
      readonly before?: Role | null | undefined
      readonly after?: Role | undefined
      readonly groupId?: string | undefined
    }
  | { readonly settings: { readonly before: StoredGroupSync; readonly after: StoredGroupSync } }

export function storedApproval({ words, ...approval }: Approval): StoredApproval {
  const { name, workspace, passes, by, account, reason, fromMs, untilMs, ...rest } = approval
  return whole({ name, workspace, words: words && storedWords(words), passes, by, account, reason, fromMs, untilMs }, rest)
}

function storedWords({ changes, limit, people, ...rest }: WaiverWords): StoredWords {
  return whole({ changes: changes.map(storedDescription), limit, people }, rest)
}

function storedDescription(change: DescribedChange): StoredDescription {
  if (!('key' in change)) return { settings: { before: storedGroupSync(change.before), after: storedGroupSync(change.after) } }
  const { key, fromGroup, before, after, groupId, ...rest } = change
  return whole({ key, fromGroup, before, after, groupId }, rest)
}

export function approvalFromStored({ words, ...stored }: StoredApproval, tell: Tell): Approval {
  const { name, workspace, passes, by, account, reason, fromMs, untilMs, ...rest } = stored
  const known = { name, workspace, passes, by, account, reason, fromMs, untilMs }
  return read(words === undefined ? known : { ...known, words: wordsFromStored(words, inField(tell, 'words')) }, rest, tell)
}

function wordsFromStored({ changes, limit, people, ...rest }: StoredWords, tell: Tell): WaiverWords {
  const known = {
    changes: changes.map((one) => descriptionFromStored(one, inField(tell, 'changes'))),
    ...(limit === undefined ? {} : { limit }),
    ...(people === undefined ? {} : { people }),
  }
  return read(known, rest, tell)
}

function descriptionFromStored(stored: StoredDescription, tell: Tell): DescribedChange {
  if ('settings' in stored) {
    const { before, after } = stored.settings
    return { before: groupSyncFromStored(before, tell), after: groupSyncFromStored(after, tell) }
  }
  const { key, fromGroup, before, after, groupId, ...rest } = stored
  const known = {
    key,
    ...(fromGroup === undefined ? {} : { fromGroup }),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(groupId === undefined ? {} : { groupId }),
  }
  return read(known, rest, tell)
}
