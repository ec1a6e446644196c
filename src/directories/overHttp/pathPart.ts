import { DirectoryError } from '../directoryError.ts'

/**
 * An id of the directory as one part of a path. No error shows the id: it may be that of a person.
 *
 * @throws {DirectoryError} `missing` if no address can have the id
 */
export function pathPart(id: string): string {
  if (!canBeInPath(id))
    throw new DirectoryError('missing', 'an id that the directory sent cannot be a part of an address, so nothing can be asked about it')
  return encodeURIComponent(id)
}

/** `.`, `..` and an empty text would mean another address. Half of a surrogate pair cannot be encoded. */
export const canBeInPath = (text: string): boolean => text !== '' && text !== '.' && text !== '..' && text.isWellFormed()
