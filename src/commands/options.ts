import type { Option } from './description.ts'

/** Options that several commands share, and the values that they take. */

export const formats = ['text', 'json', 'markdown'] as const
export const formatOption = {
  type: 'string',
  short: 'o',
  value: 'FORMAT',
  choices: formats,
  usually: 'text',
  describe: 'output format',
} as const satisfies Option

/** The values of `--fail-on`: reasons to exit with 2, although the plan could be applied. */
export const failOn = ['changes', 'held', 'undeclared', 'approval', 'findings', 'dangling'] as const

export const groupFormats = ['text', 'json'] as const
/** `github`: annotations of a workflow. */
export const validateFormats = ['text', 'json', 'github'] as const

export const allowOption = { type: 'string', multiple: true, value: 'ID' } as const satisfies Omit<Option, 'describe'>

export const noWaitOption = {
  type: 'boolean',
  describe: 'skip the start-up wait. Only use it if no other process wrote recently; the wait after a lost response still applies',
} as const satisfies Option

/** Files that people write, and documents that `--format json` prints. */
export const schemaNames = ['declaration', 'settings', 'plan', 'applied', 'groups', 'who', 'validate', 'status', 'last'] as const
export const shells = ['bash', 'zsh', 'fish'] as const
/** The completion scripts call the program with this word, and then with the words of the command line up to the cursor. */
export const completeWord = '__complete'
