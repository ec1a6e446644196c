import type { DocumentTarget } from '../../documents/parts.ts'
import { placeOf } from '../change.ts'
import { targetFromDocument } from '../documentParts.ts'

/** `workspace`, `all projects`, `ENG`, `"Pay roll"` */
export const documentPlace = (target: DocumentTarget): string => placeOf(targetFromDocument(target))
