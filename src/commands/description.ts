import type { ParseArgsConfig } from 'node:util'
import { logFormats, logLevels } from '../log/levels.ts'

/** What help, completion and the README say about a command. No package and no other part of the program is loaded for it. */
export type Description = {
  /** One or more sentences after the summary. Backticks mark code, for the README. */
  readonly about?: string
  /** The positional arguments, in their order. */
  readonly takes?: readonly Argument[]
  readonly options: Options
  /** The common options that have an effect on this command. */
  readonly common: readonly CommonName[]
  /** Arguments of the command, each with what they do. */
  readonly examples: readonly { readonly does: string; readonly line: string }[]
  readonly exits: readonly ExitName[]
  /** More text for the end of the help. */
  readonly details?: (columns: number) => Promise<string>
}

/**
 * A positional argument of a command: a file, or one of some words. `many`: there may be several, and they are no files. `waits`: IDs that wait for approval.
 * `isWorkspace`: a workspace of the settings.
 */
export type Argument = {
  readonly name: string
  readonly optional?: true
  readonly many?: true
  readonly waits?: true
  readonly isWorkspace?: true
  readonly choices?: readonly string[]
}

export type Option = NonNullable<ParseArgsConfig['options']>[string] & {
  readonly describe: string
  /** The placeholder of the value in the help. `FILE` is completed with files. */
  readonly value?: string
  /** The possible values. `describe` does not repeat them. */
  readonly choices?: readonly string[]
  /** The value is an ID that waits for approval. */
  readonly waits?: true
  /** Several of the choices may be joined with commas. */
  readonly isList?: true
  /** The value that is used without the option, for the help. */
  readonly usually?: string
}
export type Options = Readonly<Record<string, Option>>

export const commonOptions = {
  config: { type: 'string', short: 'c', value: 'FILE', describe: 'settings file; - reads standard input' },
  workspace: { type: 'string', short: 'w', multiple: true, value: 'NAME', describe: 'only this workspace; can be repeated' },
  quiet: { type: 'boolean', short: 'q', describe: 'only results and errors: no progress, no waits, no log below error' },
  'log-level': { type: 'string', value: 'LEVEL', choices: logLevels, describe: 'least level of the log' },
  'log-format': { type: 'string', value: 'FORMAT', choices: logFormats, describe: 'format of the log' },
  'no-color': { type: 'boolean', describe: 'no colours' },
} as const satisfies Options
type CommonName = keyof typeof commonOptions

export const allCommon = Object.keys(commonOptions) as readonly CommonName[]

/** Every command has them. */
export const generalOptions = {
  help: { type: 'boolean', short: 'h', describe: 'show this help' },
  version: { type: 'boolean', short: 'V', describe: 'show the version' },
} as const satisfies Options

/** All options that a command takes. */
export const optionsOf = ({ options, common }: Pick<Description, 'options' | 'common'>): Options => ({
  ...options,
  ...Object.fromEntries(common.map((name) => [name, commonOptions[name]])),
  ...generalOptions,
})

export const exitCodes = { done: 0, failed: 1, pending: 2, refused: 3, usage: 64, configuration: 78 } as const
type ExitName = keyof typeof exitCodes

export const exitMeanings: Readonly<Record<ExitName, string>> = {
  done: 'done, or in sync',
  failed: 'failed, also in part',
  pending: 'a reason that --detailed-exitcode or --fail-on names',
  refused:
    'a change or a set of changes needs approval, the plan differs from the reviewed plan, the question was not answered with "yes", or approve got an ID that no waiting change, set or plan has',
  usage: 'wrong command line',
  configuration: 'invalid settings or declaration, or a Node that is too old',
}

/** A variable of the environment, and the common option with which it belongs. Without one, every command takes it. */
type Variable = { readonly name: string; readonly describe: string; readonly with?: CommonName }

/** Where the settings are looked for if neither option nor variable names a file. */
export const settingsPlaces = ['config/config.yaml', './plane-group-sync.yaml', './config.yaml'] as const

export const variables: readonly Variable[] = [
  {
    name: 'PLANE_GROUP_SYNC_CONFIG',
    describe: `settings file, if --config names none. Without both, the first of these that exists: ${settingsPlaces.join(', ')}`,
    with: 'config',
  },
  {
    name: 'PLANE_BASE_URL, PLANE_API_KEY, PLANE_WORKSPACE_SLUG',
    describe: 'address, API key and workspace, if the settings have none',
    with: 'config',
  },
  { name: 'HTTPS_PROXY, HTTP_PROXY, NO_PROXY', describe: 'proxies, and the hosts without one', with: 'config' },
  {
    name: 'NO_COLOR, NODE_DISABLE_COLORS, FORCE_COLOR, CLICOLOR_FORCE',
    describe: 'without or with colours, whatever the terminal is',
    with: 'no-color',
  },
  { name: 'NODE_COMPILE_CACHE', describe: 'folder for compiled code; an empty value switches this cache off' },
]

/** Options that several commands share, and the values that they take. */

export const formats = ['text', 'json', 'markdown'] as const
export type Format = (typeof formats)[number]
export const formatOption = {
  type: 'string',
  short: 'o',
  value: 'FORMAT',
  choices: formats,
  usually: 'text',
  describe: 'output format',
} as const satisfies Option

/** The values of `--fail-on`: reasons to exit with 2, although the plan could be applied. */
export const failOn = ['changes', 'held', 'undeclared', 'undeclared-protected', 'approval', 'findings', 'dangling'] as const

export const groupFormats = ['text', 'json'] as const
export const reportFormats = ['text', 'csv', 'json', 'html', 'markdown'] as const
/** `github`: annotations of a workflow. */
export const validateFormats = ['text', 'json', 'github'] as const

export const allowOption = { type: 'string', multiple: true, value: 'ID', waits: true } as const satisfies Omit<Option, 'describe'>

export const byOption = {
  type: 'string',
  value: 'NAME',
  usually: 'USER of the environment',
  describe: 'who gives the order; nothing proves it, so the journal and the log keep it with the account of the process',
} as const satisfies Option

export const noWaitOption = {
  type: 'boolean',
  describe: 'skip the start-up wait. Only use it if no other process wrote recently; the wait after a lost response still applies',
} as const satisfies Option

/** Files that people write, and documents that `--format json` prints. */
export const schemaNames = [
  'declaration',
  'settings',
  'fences',
  'plan',
  'applied',
  'groups',
  'who',
  'explain',
  'report',
  'validate',
  'status',
  'doctor',
  'last',
  'recording',
  'notice',
] as const
/** The kinds of directories that `init` knows, and the hosts of workflows. */
export const initKinds = ['ldap', 'keycloak', 'entra', 'okta', 'google', 'scim', 'file', 'none'] as const
export const initHosts = ['github', 'gitlab', 'none'] as const
export const shells = ['bash', 'zsh', 'fish'] as const
/** The completion scripts call the program with this word, and then with the words of the command line up to the cursor. */
export const completeWord = '__complete'
