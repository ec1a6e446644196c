import { cureText } from '../core/cures.ts'
import type { Doors } from '../core/doors.ts'
import { changedGroupText } from '../core/findings/changedGroup.ts'
import { changedProjectText } from '../core/findings/missingProjects.ts'
import { type Hold, type HoldReason } from '../core/hold.ts'
import { type Role } from '../core/mapping.ts'
import { counted, momentText } from '../core/quantity.ts'
import { lineText, placeText } from '../core/rule.ts'
import { groupUnknownText, otherDirectoryCure } from '../core/unknownTo.ts'
import { type PlanApprovals, waitingKind } from './approval.ts'
import { exportOf } from './commandLine.ts'
import { approveOne, explainApproval, explainLimit, explainPeople, type HoldText } from './holdApproval.ts'

/** `workspace`: the workspace of the hold. `approvals`: how the ID of the plan approves, if one text stands for several changes. */
type HoldContext = { readonly doors: Doors; readonly workspace?: string; readonly approvals?: PlanApprovals }

/** The reason of a hold without its cure. It is the same for all doors of an approval. */
export const holdSentence = (hold: Pick<Hold, 'reason' | 'change' | 'because'>, workspace?: string): string =>
  explainHold(hold, { doors: 'any', ...(workspace === undefined ? {} : { workspace }) }).sentence

export function explainHold(
  { reason, change, because }: Pick<Hold, 'reason' | 'change' | 'because'>,
  { doors, workspace, approvals }: HoldContext,
): HoldText {
  if (reason.kind !== 'approval') {
    const { sentence, cure } = explainReason(reason, because?.pattern !== undefined, { doors, workspace })
    return { sentence, cure: cureText(reason.kind === 'groupUnknown' && reason.mapped ? 'dangling' : reason.kind, cure) }
  }
  if (reason.why === 'people') return explainPeople(reason, change, doors)
  if (reason.why === 'limit') return explainLimit(reason, doors)
  const kind = waitingKind({ reason }) ?? 'protected'
  return explainApproval(reason.why, approvals?.[kind].text ?? approveOne(change, doors), change)
}

function explainReason(
  reason: Exclude<HoldReason, { kind: 'approval' }>,
  isPattern: boolean,
  { doors, workspace }: { readonly doors: Doors; readonly workspace: string | undefined },
): HoldText {
  switch (reason.kind) {
    case 'groupUnknown':
      return { sentence: groupUnknownText(reason), cure: groupUnknownCure(reason, isPattern) }
    case 'projectUnknown':
      return {
        sentence: `the credential sees no project ${reason.project}`,
        cure: nearText(reason) ?? (reason.captured === true ? capturedProjectCure : projectCure),
      }
    case 'projectChanged':
      return changedProjectText(reason, doors)
    case 'perhapsRenamed':
      return {
        sentence: `not deleted: the file declares this group for ${reason.project}, and no visible project has that identifier; this project may be ${reason.project} under a new name`,
        cure: `if so, write this project's identifier in the file instead of ${reason.project}; if not, correct ${reason.project} in the file, or add the owner of the credential to ${reason.project}`,
      }
    case 'groupChanged':
      return changedGroupText(reason, doors)
    case 'labelDiffers':
      return {
        sentence:
          reason.shared === undefined
            ? `the file calls the group "${reason.label}", and in ${reason.directory} it is called "${reason.called}"`
            : `${counted(reason.shared, 'group')} are called "${reason.label}", so the label does not say which one is meant`,
        cure:
          reason.shared === undefined
            ? 'if it is the one that is meant, correct the label in the file'
            : 'rename the other groups in the directory; or, if the id is that of the group that is meant, remove the label',
      }
    case 'roleUnmapped':
      return {
        sentence: `the captured role "${reason.captured}" is not in the rule's map (${reason.allowed.join(', ')})`,
        cure: "add it to the rule's map, or leave the group out with except:",
      }
    case 'ambiguous':
      if (reason.names !== undefined) {
        return {
          sentence: `the group has several names (${reason.names.join(', ')}), and logins may send any of them: ${reason.places.join('; ')}`,
          cure: "remove all names but one from the entry, or exclude the entry with the directory's groups.filter",
        }
      }
      return {
        sentence: `the name is in ${counted(reason.places.length, 'place')}: ${reason.places.join('; ')}`,
        cure: isOneDirectory(reason.places)
          ? 'rename one of the groups, or let the settings of the directory leave one out'
          : 'name the directory with from:, or rename one of the groups',
      }
    case 'conflict':
      return {
        sentence: `patterns want different roles: ${reason.roles.join(', ')} (${reason.rules.map(({ at }) => lineText(at)).join(', ')})`,
        cure: 'write an exact rule for this group: it beats the patterns',
      }
    case 'outranked':
      return {
        sentence: outrankedSentence(reason),
        cure: 'let both files say the same, or remove the rule inside the fence',
      }
    case 'contested':
      return {
        sentence: `files contradict each other here: ${reason.rules.map(({ at }) => lineText(at)).join(', ')}`,
        cure: 'let one of them say it; until then nothing is changed here',
      }
    case 'unsafeName':
      return { sentence: `the name cannot be sent: ${reason.what}`, cure: 'rename the group in its directory' }
    case 'readingIncomplete':
      return {
        sentence: `${reason.of} could not be read whole: ${clause(reason.why)}`,
        cure: 'existing mappings stay until it is read whole',
      }
    case 'notRecorded':
      return { sentence: 'not in this recording, so it is not known whether there is such a group', cure: recordWhole }
    case 'patternsUnmatched':
      return {
        sentence: `patterns of this workspace were not matched with the groups: ${clause(reason.why)}`,
        cure: 'use fewer or simpler patterns; existing mappings stay until then',
      }
    case 'clocksDiffer':
      return {
        sentence: 'the "starts" or the "expires" of the rule has passed on only one of two clocks: that of this machine or that of Plane',
        cure: 'see the finding clock-differs, and correct the wrong clock',
      }
    case 'notStarted':
      return { sentence: `the rule starts at ${momentText(reason.startsMs)}`, cure: 'the mapping stays as it is until then' }
    case 'undeclared':
      return {
        sentence:
          reason.policy === 'sync'
            ? 'no rule declares this mapping, and it is not ours, so it stays'
            : `no rule declares this mapping; the policy ${reason.policy} keeps it`,
        cure: `to keep: ${exportOf('undeclared', workspace)} · to delete: ${exportOf('removed', workspace)} · to ignore: add to unmanaged:`,
      }
    case 'policy':
      return { sentence: `the policy ${reason.policy} does not write this`, cure: 'to write it, set another policy in the settings' }
    case 'quarantined':
      return quarantines[reason.since]
    case 'roleEchoed':
      return {
        sentence: `the service answered "${reason.echoed}" where "${reason.sent}" was sent`,
        cure: `if the two are one role: roles.aliases: { ${reason.sent}: ${reason.echoed} } in the settings; or correct it in Plane. An edit of the role or reason of its rule sends it again`,
      }
    case 'nameEchoed':
      return {
        sentence: `the service keeps it as another mapping: ${reason.storedKey}`,
        cure: 'delete that mapping in Plane if it is not as meant; if only the name differs, use that name in the declaration, or rename the group in Plane',
      }
    case 'requires':
      return { sentence: `waits for the change of ${reason.key}`, cure: 'see the reason at that change' }
    case 'flapping':
      return {
        sentence: `written ${counted(reason.rounds, 'time')} since ${momentText(reason.sinceMs)}, and undone each time`,
        cure: 'find out who undoes it; an edit of the declaration restarts the count, guards.flapping sets the limit',
      }
    case 'anotherWriter': {
      const twins = counted(reason.twins, 'mapping')
      return {
        sentence: `another writer makes the same mappings: ${twins} of this program ${reason.twins === 1 ? 'exists' : 'exist'} twice`,
        cure: 'stop the other writer, then delete one mapping of each pair in Plane; the finding another-writer names them',
      }
    }
    case 'suspended':
      return {
        sentence: reason.what === 'all' ? 'writing is suspended' : 'grants are suspended',
        cure: 'to go on, set suspend: false in the settings',
      }
    case 'fileInvalid':
      if (reason.isOutside === true)
        return {
          sentence: `${placeText(reason.at)}: ${clause(reason.why)}`,
          cure: 'widen the fence; or take the group out of the pattern, then the mapping is undeclared',
        }
      return {
        sentence: `${placeText(reason.at)} is not used here, and it names this mapping, gave it, or may name it: ${clause(reason.why)}`,
        cure: 'correct the file or its fence: plane-group-sync validate shows all problems',
      }
    default:
      return reason satisfies never
  }
}

/** Without the option that narrows a recording. */
const recordWhole = 'make the recording without --declared-groups; or look at the plan of the program that has the directories'

const quarantines: Readonly<Record<Extract<HoldReason, { kind: 'quarantined' }>['since'], HoldText>> = {
  startUp: {
    sentence: 'a create of the previous process may still be executed',
    cure: 'apply and run wait by themselves, each from its own start; or use --no-wait, if no other process wrote recently',
  },
  unknownOutcome: {
    sentence: 'an earlier write with unknown outcome may still be executed',
    cure: 'wait: then the list is read again and a new plan is made',
  },
  justWritten: {
    sentence: 'this program wrote the mapping, and the list does not show that write',
    cure: 'apply and run wait by themselves, each from its own start. If the list still does not show the write after that, it is written again',
  },
}

/** A sentence of the service or a library, without its full stop, as a part of our own sentence. */
export const clause = (sentence: string): string => sentence.trimEnd().replace(/\.$/, '')

/** A name with a blank at an end is quoted, so that the blank is seen. `nearNote`: see `HoldReason`. */
function nearText({ near, nearLabel, nearNote }: { readonly near?: string; readonly nearLabel?: string; readonly nearNote?: string }) {
  if (near === undefined) return nearNote
  const name = near.trim() === near ? near : `"${near}"`
  return `did you mean ${name}${nearLabel === undefined ? '' : `, which is called ${nearLabel}`}?${noteText(nearNote)}`
}

const noteText = (note: string | undefined): string => (note === undefined ? '' : ` (${note})`)

const addOwner = 'add the owner of the credential to the project'
const projectCure = `write its identifier (such as ENG, not its name), ${addOwner}, or, if it exists, write unknownProjects: send in the rule or the settings`
const capturedProjectCure = `correct it, ${addOwner}, or write unknownProjects: skip in the rule, to leave out projects that do not exist`

/** Anyone who may create groups can give one this label, so a person has to look. */
const madeAgain = (id: string, label: string, note: string | undefined): string =>
  `another group is called "${label}" now: ${id}${noteText(note)}; if it is the group that is meant, made again, write this id`

/** Beside a pattern or a list of groups `previously` is an error. */
const danglingCure = (isPattern: boolean): string =>
  isPattern
    ? 'if the group was renamed, let the pattern match its new name, and list this mapping under "removed" when people have logged in · if it is gone for good, list the mapping under "removed"'
    : 'if the group was renamed, write its new name with "previously" in a rule with this group alone · if it is gone for good, list the mapping under "removed"'

function groupUnknownCure(reason: Extract<HoldReason, { kind: 'groupUnknown' }>, isPattern: boolean): string {
  const { directories, near, nearLabel, nearNote, mapped, hasLabel, asksOnly, elsewhere } = reason
  const again = hasLabel === true && near !== undefined && nearLabel !== undefined ? madeAgain(near, nearLabel, nearNote) : undefined
  const moved = elsewhere === undefined ? undefined : otherDirectoryCure(elsewhere)
  const known = [again, moved].filter((text) => text !== undefined)
  if (mapped) return [...known, danglingCure(isPattern)].join(' · ')
  if (directories.length === 0) return `add a directory to the settings${hasLabel === true ? ', or remove the label of the rule' : ''}`
  const send = `${hasLabel === true ? 'remove the label and ' : ''}write unknownGroups: send in the rule or the settings`
  const correct = `correct the name${asksOnly === true ? ' or the "from" of the rule' : ''}, or create the group`
  return known.length > 0 ? known.join(' · ') : (nearText(reason) ?? `${correct}; or, if nobody else can create it, ${send}`)
}

/** Whether all places (`corp: cn=a`) are in one directory, so that `from:` cannot choose between them. */
export const isOneDirectory = (places: readonly string[]): boolean => new Set(places.map((place) => place.split(': ', 1)[0])).size === 1

/** What the file inside a fence says of a mapping, and what the file without limits says. */
function outrankedSentence({ by, inside, outside, unmanaged }: Extract<HoldReason, { kind: 'outranked' }>): string {
  const own = unmanaged === undefined ? `the file inside the fence ${wants(inside)}` : `${lineText(unmanaged.at)} says unmanaged`
  return `${own}, but ${lineText(by.at)}, in a file without limits, ${wants(outside)}`
}

const wants = (role: Role | null | undefined): string =>
  role === undefined ? 'says something else' : role === null ? 'asks for no mapping' : `gives ${role}`
