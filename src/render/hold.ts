import type { ChangeId } from '../core/change.ts'
import { changedProjectText } from '../core/findings/changedProject.ts'
import type { ApprovalWhy, Hold, HoldReason } from '../core/hold.ts'
import { counted, listed, momentText } from '../core/quantity.ts'
import type { Position } from '../core/rule.ts'

/** Why a change waits, in a clause without a full stop, and what to do next. Raw text: each rendering escapes it its own way. */
export type HoldText = { readonly sentence: string; readonly cure: string }

/** `plan`: the name of the plan, where the text is said once for several changes. */
export function explainHold({ reason, change }: Pick<Hold, 'reason' | 'change'>, plan?: ChangeId): HoldText {
  if (reason.kind !== 'approval') return explainReason(reason)
  if (reason.why !== 'creates') return explainApproval(reason.why, plan === undefined ? passOne(change?.id) : passAll(plan))
  const { sentence, pass, setting } = reason
  return { sentence, cure: `${passAll(pass)} · or, where the limit itself is wrong: ${setting}` }
}

const passAll = (plan: string): string => `pass all of this plan: --allow ${plan}`
const passOne = (id: ChangeId | undefined): string =>
  id === undefined ? 'pass it: --allow with its id' : `pass exactly this: --allow ${id}`

function explainReason(reason: Exclude<HoldReason, { kind: 'approval' }>): HoldText {
  switch (reason.kind) {
    case 'groupUnknown': {
      const { directories, near, mapped } = reason
      const unknown = directories.length === 1 ? 'does not know' : 'do not know'
      return {
        sentence: directories.length === 0 ? 'no directory knows this group' : `${listed(directories)} ${unknown} this group`,
        cure: mapped
          ? danglingCure(near)
          : (didYouMean(near) ?? 'correct the name, create the group, or allow it with unknownGroups: send'),
      }
    }
    case 'projectUnknown':
      return {
        sentence: `the credential sees no project ${reason.project}`,
        cure: didYouMean(reason.near) ?? "correct it, let the key's owner into the project, or allow it with unknownProjects: send",
      }
    case 'projectChanged':
      return changedProjectText(reason)
    case 'perhapsRenamed':
      return {
        sentence: `not deleted: the file declares this group for ${reason.project}, and no visible project has that identifier; this project may be ${reason.project} under a new name`,
        cure: `if so, write this project's identifier in the file instead of ${reason.project}; if not, correct ${reason.project} in the file, or add the key's owner to ${reason.project}`,
      }
    case 'roleUnmapped':
      return {
        sentence: `the captured role "${reason.captured}" is not in the rule's map (${reason.allowed.join(', ')})`,
        cure: "add it to the rule's map, or leave the group out with except:",
      }
    case 'ambiguous':
      return {
        sentence: `the name is in ${reason.places.length} places: ${reason.places.join('; ')}`,
        cure: 'say which directory with from:, or rename one of them',
      }
    case 'conflict':
      return {
        sentence: `patterns want different roles: ${reason.roles.join(', ')} (${reason.rules.map(({ at }) => lineText(at)).join(', ')})`,
        cure: 'write an exact rule for this group: it beats the patterns',
      }
    case 'unsafeName':
      return { sentence: `the name cannot be sent: ${reason.what}`, cure: 'rename the group in its directory' }
    case 'readingIncomplete':
      return { sentence: `${reason.of} could not be read whole: ${clause(reason.why)}`, cure: 'what exists stays until it can' }
    case 'undeclared':
      return {
        sentence: `exists, and nobody declares it; the policy ${reason.policy} keeps it`,
        cure: 'adopt: export --undeclared · drop: removed: · silence: unmanaged:',
      }
    case 'policy':
      return { sentence: `the policy ${reason.policy} does not write this`, cure: 'another policy does: see policy in the settings' }
    case 'quarantined':
      return quarantines[reason.since]
    case 'rejected':
      return {
        sentence: `the service refused it with ${reason.status}: ${clause(reason.sentence)}`,
        cure: 'change the declaration, or wait: then it is tried again',
      }
    case 'failing':
      return {
        sentence: `tried ${counted(reason.times, 'time')}, and no answer said that it was done: ${clause(reason.why)}`,
        cure: 'see the log of Plane; it is tried again more and more rarely, and at once when the declaration changes',
      }
    case 'roleEchoed':
      return {
        sentence: `the service answered "${reason.echoed}" where "${reason.sent}" was sent`,
        cure: `correct it in Plane; or, if the two are one role: roles.aliases: { ${reason.sent}: ${reason.echoed} }`,
      }
    case 'nameEchoed':
      return {
        sentence: `the service keeps it under another name: ${reason.keptAs}`,
        cure: 'name it so in the declaration, or rename it in Plane; what was written under the other name stands there until somebody deletes it',
      }
    case 'requires':
      return { sentence: `comes after ${reason.key}`, cure: 'see what that one waits for' }
    case 'flapping':
      return {
        sentence: `written ${counted(reason.rounds, 'time')} since ${momentText(reason.sinceMs)}, and undone each time`,
        cure: 'find who undoes it; an edit of the declaration begins anew, guards.flapping says how often is too often',
      }
    case 'suspended':
      return {
        sentence: reason.what === 'all' ? 'writing is suspended' : 'grants are suspended',
        cure: 'set suspend: false in the settings when it is over',
      }
    default:
      return reason satisfies never
  }
}

const quarantines: Readonly<Record<Extract<HoldReason, { kind: 'quarantined' }>['since'], HoldText>> = {
  startUp: {
    sentence: 'the process before this one may have left a create on its way',
    cure: 'wait, or say with --no-wait that nobody else wrote',
  },
  unknownOutcome: {
    sentence: 'an earlier write, whose outcome is unknown, may still be executed',
    cure: 'wait: then the list is read again and planned anew',
  },
  justWritten: {
    sentence: 'the mapping was written a moment ago, and the list does not show it',
    cure: 'wait: a list that lags shows it by then, and what somebody deleted is made again',
  },
}

function explainApproval(why: ApprovalWhy, pass: string): HoldText {
  switch (why) {
    case 'protectedRole':
      return { sentence: 'protected role', cure: `${pass} · or in the file: allowProtected: true` }
    case 'protectedGroup':
      return { sentence: 'protected group', cure: `${pass} · or take it out of guards.protectedGroups` }
    case 'groupSync':
      return { sentence: "the workspace's own settings", cure: pass }
    case 'allProjectsProtected':
      return { sentence: 'protected role in all projects', cure: `${pass} · or name the projects` }
    default:
      return why satisfies never
  }
}

/** Somebody else's sentence, as a part of ours. */
export const clause = (sentence: string): string => sentence.trimEnd().replace(/\.$/, '')

const didYouMean = (near: string | undefined): string | undefined => (near === undefined ? undefined : `did you mean ${near}?`)

const danglingCure = (near: string | undefined): string =>
  `${near === undefined ? 'renamed' : `perhaps renamed to ${near}`}: previously: · gone for good: removed:`

const lineText = ({ file, line }: Position): string => `${file}:${line}`
