import { listed } from '../core/quantity.ts'

/** `corp does not know this group` */
export const unknownToText = (directories: readonly string[]): string =>
  directories.length === 0
    ? 'no directory knows this group'
    : `${listed(directories)} ${directories.length === 1 ? 'does not know' : 'do not know'} this group`
