import { whole } from '../core/fields.ts'
import type { PeopleEffect } from '../core/peopleEffect.ts'
import type { DocumentEffect } from '../documents/change.ts'

export function documentEffect(effect: PeopleEffect): DocumentEffect {
  if (effect.kind === 'unknown') {
    const { kind: _, why, ...rest } = effect
    return whole({ unknown: why }, rest)
  }
  const { kind: _, newly, raised, lowered, lost, gainProtected, atLeast, ...rest } = effect
  return whole({ newly, raised, lowered, lost, gainProtected, atLeast }, rest)
}

/** Other fields are ignored, as in the document of a change. */
export function effectFromDocument(document: DocumentEffect): PeopleEffect {
  if ('unknown' in document) return { kind: 'unknown', why: document.unknown }
  const { newly, raised, lowered, lost, gainProtected, atLeast } = document
  return { kind: 'counted', newly, raised, lowered, lost, gainProtected, ...(atLeast === true ? { atLeast } : {}) }
}
