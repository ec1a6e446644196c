/** The commands that are tried while something hangs. `schema` and `sandbox` ask nothing outside. */
export const hangingCommands = ['validate', 'groups', 'plan', 'export', 'apply', 'run'] as const
export type HangingCommand = (typeof hangingCommands)[number]

/**
 * The behaviour of a command while something hangs.
 *
 * | value | meaning |
 * |---|---|
 * | unaffected | it does not wait for it, and ends with 0 |
 * | settles | it ends with 0 after the limit: it reads again, and sees what came of its write |
 * | fails | it ends with 1 after the limit, and names what hangs |
 * | refuses | it ends with 78 at once, and names what hangs |
 * | goes on | the daemon says after the limit what hangs, and goes on with what does not need it |
 */
export type Behaviour = 'unaffected' | 'settles' | 'fails' | 'refuses' | 'goes on'

/** One thing outside that hangs, and the behaviour of each command then. docs/dev/hanging.md is generated from these rows. */
export type Hanging = {
  readonly what: string
  /** The limit that ends the wait. */
  readonly limit: string
  /** The name of the hanging thing in the message. */
  readonly names: string
  readonly does: Readonly<Record<HangingCommand, Behaviour>>
  /** The time that SIGTERM takes meanwhile. Absent: the process ends at once. */
  readonly stop?: 'the grace period'
}

const service = { validate: 'unaffected', groups: 'unaffected', plan: 'fails', export: 'fails', apply: 'fails', run: 'goes on' } as const
const directory = { ...service, groups: 'fails', export: 'unaffected' } as const
const nothing = {
  validate: 'unaffected',
  groups: 'unaffected',
  plan: 'unaffected',
  export: 'unaffected',
  apply: 'unaffected',
  run: 'goes on',
} as const

export const hanging = {
  planeSilent: {
    what: 'Plane accepts the connection and does not answer',
    limit: '`service.timeout`, for each of 3 attempts',
    names: 'its address',
    does: service,
  },
  planeTls: {
    what: 'Plane accepts the connection and does not finish the TLS handshake',
    limit: '`service.timeout`, for each of 3 attempts',
    names: 'its address',
    does: service,
  },
  planeDrips: {
    what: 'Plane answers byte by byte, without end',
    limit: '`service.timeout`, for each of 3 attempts',
    names: 'its address',
    does: service,
  },
  planeWrite: {
    what: 'Plane takes a create and does not answer',
    limit: '`service.timeout`; the outcome is unknown, so there is no second attempt',
    names: 'the change',
    does: { ...nothing, apply: 'settles' },
    stop: 'the grace period',
  },
  proxy: {
    what: 'The proxy accepts the connection and does not answer',
    limit: '`service.timeout`, for each of 3 attempts',
    names: 'the proxy',
    does: service,
  },
  resolver: {
    what: 'The resolver does not answer for the name of Plane',
    limit: '`service.timeout`, for each of 3 attempts',
    names: 'the name',
    does: service,
  },
  ldapSilent: {
    what: 'An LDAP server accepts the connection and does not answer',
    limit: '`timeout` of the directory, for each of its `addresses`',
    names: 'its address',
    does: directory,
  },
  ldapTls: {
    what: 'An LDAP server accepts the connection and does not finish the TLS handshake',
    limit: '`timeout` of the directory, for each of its `addresses`',
    names: 'its address',
    does: directory,
  },
  ldapResolver: {
    what: 'The resolver does not answer for the name of an LDAP server',
    limit: '`timeout` of the directory, for each of its `addresses`',
    names: 'its address',
    does: directory,
  },
  ldapEndless: {
    what: 'An LDAP server sends page after page, without end',
    limit: '`readingTimeout` of the directory',
    names: 'the directory',
    does: directory,
  },
  keycloakSilent: {
    what: 'Keycloak accepts the connection and does not answer',
    limit: '`timeout` of the directory, for each of 4 attempts',
    names: 'its address',
    does: directory,
  },
  keycloakEndless: {
    what: 'Keycloak answers slowly, page after page, without end',
    limit: '`readingTimeout` of the directory',
    names: 'the directory',
    does: directory,
  },
  directoryPipe: {
    what: "A pipe without a writer in place of a directory's file",
    limit: 'none is needed: a pipe is refused before it is opened',
    names: 'the file',
    does: { ...directory, validate: 'refuses' },
  },
  declarationPipe: {
    what: 'A pipe without a writer in place of a file of the declaration',
    limit: 'none is needed: a pipe is refused before it is opened',
    names: 'the file',
    does: { validate: 'refuses', groups: 'unaffected', plan: 'refuses', export: 'unaffected', apply: 'refuses', run: 'goes on' },
  },
  log: {
    what: 'The reader of standard error does not read',
    limit: 'none is needed: lines are dropped',
    names: '`log_lines_lost_total`',
    does: nothing,
  },
} as const satisfies Readonly<Record<string, Hanging>>

export type HangingName = keyof typeof hanging
