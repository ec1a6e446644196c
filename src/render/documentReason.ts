import { defined, whole } from '../core/fields.ts'
import type { HoldReason } from '../core/hold.ts'
import { placeText } from '../core/rule.ts'
import type { DocumentReason } from '../documents/reason.ts'
import { documentBecause } from './documentParts.ts'

export function documentReason(reason: HoldReason): DocumentReason {
  switch (reason.kind) {
    case 'groupUnknown': {
      const { kind, directories, hasLabel, mapped, near, nearLabel, nearNote, ...rest } = reason
      return whole({ kind, directories, hasLabel, mapped, near, nearLabel, nearNote }, rest)
    }
    case 'projectUnknown': {
      const { kind, captured, near, nearNote, project, ...rest } = reason
      return whole({ kind, captured, near, nearNote, project }, rest)
    }
    case 'projectChanged': {
      const { kind, called, pass, project, replaced, ...rest } = reason
      return whole({ kind, called, pass, project, replaced }, rest)
    }
    case 'perhapsRenamed': {
      const { kind, project, ...rest } = reason
      return whole({ kind, project }, rest)
    }
    case 'groupChanged': {
      const { kind, called, directory, group, pass, was, ...rest } = reason
      return whole({ kind, called, directory, group, pass, was }, rest)
    }
    case 'labelDiffers': {
      const { kind, called, directory, label, shared, ...rest } = reason
      return whole({ kind, called, directory, label, shared }, rest)
    }
    case 'roleUnmapped': {
      const { kind, allowed, captured, ...rest } = reason
      return whole({ kind, allowed, captured }, rest)
    }
    case 'ambiguous': {
      const { kind, names, places, ...rest } = reason
      return whole({ kind, names, places }, rest)
    }
    case 'conflict': {
      const { kind, roles, rules, ...rest } = reason
      return whole({ kind, roles, rules: rules.map(documentBecause) }, rest)
    }
    case 'outranked': {
      const { kind, by, inside, outside, unmanaged, ...rest } = reason
      return whole(defined({ kind, by: documentBecause(by), inside, outside, unmanaged: unmanaged && documentBecause(unmanaged) }), rest)
    }
    case 'contested': {
      const { kind, rules, ...rest } = reason
      return whole({ kind, rules: rules.map(documentBecause) }, rest)
    }
    case 'unsafeName': {
      const { kind, what, ...rest } = reason
      return whole({ kind, what }, rest)
    }
    case 'readingIncomplete': {
      const { kind, of, why, ...rest } = reason
      return whole({ kind, of, why }, rest)
    }
    case 'patternsUnmatched': {
      const { kind, why, ...rest } = reason
      return whole({ kind, why }, rest)
    }
    case 'clocksDiffer': {
      const { kind, ...rest } = reason
      return whole({ kind }, rest)
    }
    case 'notStarted': {
      const { kind, startsMs, ...rest } = reason
      return whole({ kind, startsMs }, rest)
    }
    case 'undeclared': {
      const { kind, policy, ...rest } = reason
      return whole({ kind, policy }, rest)
    }
    case 'policy': {
      const { kind, policy, ...rest } = reason
      return whole({ kind, policy }, rest)
    }
    case 'approval': {
      if (reason.why === 'people') {
        const { kind, why, limit, over, pass, people, atLeast, setting, ...rest } = reason
        return whole({ kind, limit, over, pass, people, atLeast, setting, why }, rest)
      }
      if (reason.why !== 'creates') {
        const { kind, why, ...rest } = reason
        return whole({ kind, why }, rest)
      }
      const { kind, count, limit, pass, sentence, setting, why, ...rest } = reason
      return whole({ kind, count, limit, pass, sentence, setting, why }, rest)
    }
    case 'quarantined': {
      const { kind, since, ...rest } = reason
      return whole({ kind, since }, rest)
    }
    case 'failing': {
      const { kind, times, why, ...rest } = reason
      return whole({ kind, times, why }, rest)
    }
    case 'roleEchoed': {
      const { kind, echoed, sent, ...rest } = reason
      return whole({ kind, echoed, sent }, rest)
    }
    case 'nameEchoed': {
      const { kind, storedKey, ...rest } = reason
      return whole({ kind, keptAs: storedKey }, rest)
    }
    case 'requires': {
      const { kind, key, ...rest } = reason
      return whole({ kind, key }, rest)
    }
    case 'flapping': {
      const { kind, rounds, sinceMs, ...rest } = reason
      return whole({ kind, rounds, sinceMs }, rest)
    }
    case 'anotherWriter': {
      const { kind, twins, ...rest } = reason
      return whole({ kind, twins }, rest)
    }
    case 'suspended': {
      const { kind, what, ...rest } = reason
      return whole({ kind, what }, rest)
    }
    case 'fileInvalid': {
      const { kind, at, why, ...rest } = reason
      return whole({ kind, at: placeText(at), why }, rest)
    }
    default:
      return reason satisfies never
  }
}
