import { targetText } from '../../core/mapping.ts'
import type { DocumentTarget } from '../../documents/parts.ts'
import { targetFromDocument } from '../documentParts.ts'

/** `workspace`, `all projects`, `ENG` */
export const documentPlace = (target: DocumentTarget): string => targetText(targetFromDocument(target))
