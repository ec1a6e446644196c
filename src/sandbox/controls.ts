import { z } from 'zod'
import { type Chance, chanceFrom } from './chance.ts'
import { type ArmedRule, arm, type FaultCount, whyNever } from './fault.ts'
import { readFault } from './fault-forms.ts'
import { clear, type LoggedRequest, openRequestLog, type RequestLog } from './request-log.ts'
import { operations } from './routes.ts'
import { SandboxError } from './sandboxError.ts'
import type { Project, State, User, Workspace } from './state.ts'
import { parseState, type StateInput, type StateParsed } from './state-input.ts'
import type { Limit } from './throttle.ts'

/** Everything that a test may look at and change while the sandbox runs: in its own process, or through `/_sandbox/`. */
export type Controls = {
  /** The live state: the next request sees a change of it. */
  readonly state: State
  /** The last requests, oldest first; the oldest are forgotten when they are too many or too long. */
  readonly requests: readonly LoggedRequest[]
  /** How many requests are forgotten. */
  readonly forgotten: () => number
  /** The faults, and how often each of them struck. */
  readonly faults: readonly FaultCount[]
  /** Replaces all faults. Counts begin at zero. @throws {SandboxError} if one cannot be read, or can never strike; no fault is replaced then */
  readonly setFaults: (texts: readonly string[]) => void
  /** Adds faults after those that are there. @throws {SandboxError} like `setFaults` */
  readonly addFaults: (texts: readonly string[]) => void
  /** Replaces the state. @throws {SandboxError} with every problem; nothing is replaced then */
  readonly setState: (input: StateInput) => void
  readonly forgetRequests: () => void
  /** State, faults, requests, limiter and random numbers as after the start. */
  readonly reset: () => void
}

/** How the sandbox begins. */
type Beginning = {
  readonly state?: StateInput | undefined
  readonly limit?: Limit | undefined
  readonly faults?: readonly string[] | undefined
  readonly seed: number
}

type Opened = {
  readonly controls: Controls
  readonly chance: Chance
  readonly luck: Chance
  readonly log: RequestLog
  readonly faults: readonly ArmedRule[]
}

/**
 * @param onReset is called when the other parts are to begin anew, too
 * @throws {SandboxError} if the state or a fault cannot be read
 */
export function openControls(beginning: Beginning, now: () => number, onReset: () => void): Opened {
  const { limit, faults: texts = [], seed } = beginning
  const chance = chanceFrom(seed)
  const luck = chanceFrom(seed + 1)
  const log = openRequestLog()
  const first = () => withLimit(newState(beginning.state ?? {}, chance, now()), limit)
  const state = first()
  const faults = [...armFaults(texts, [], state)]
  const addFaults = (more: readonly string[]) => {
    for (const fault of armFaults(more, faults, state)) faults.push(fault)
  }
  const setFaults = (next: readonly string[]) => {
    const armed = armFaults(next, [], state)
    faults.length = 0
    for (const fault of armed) faults.push(fault)
  }
  return {
    ...{ chance, luck, log, faults },
    controls: {
      ...{ state, faults, setFaults, addFaults },
      requests: log.entries,
      forgotten: () => log.forgotten,
      setState: (input) =>
        void Object.assign(state, withLimit(newState(input, chance, now()), input.limit === undefined ? limit : undefined)),
      forgetRequests: () => clear(log),
      reset() {
        chance.rewind()
        luck.rewind()
        Object.assign(state, first())
        setFaults(texts)
        clear(log)
        onReset()
      },
    },
  }
}

const withLimit = (state: State, limit: Limit | undefined): State => (limit === undefined ? state : { ...state, limit: { ...limit } })

const faultsMax = 1_000

/**
 * Faults from their texts, with counts of zero.
 *
 * @param before the faults that stay before them
 * @throws {SandboxError} if one cannot be read, or can never strike
 */
export function armFaults(texts: readonly string[], before: readonly ArmedRule[], state: State): readonly ArmedRule[] {
  if (before.length + texts.length > faultsMax) throw new SandboxError(`there can be at most ${faultsMax} faults`)
  const slugs = Object.keys(state.workspaces)
  const armed = [...before]
  for (const text of texts) {
    const rule = readFault(text)
    const earlier = armed.map((fault) => fault.rule)
    const why = whyNever(rule, earlier, operations, slugs)
    if (why !== undefined) throw new SandboxError(`fault "${text}" can never strike: ${why}`)
    armed.push(arm(rule, text.trim()))
  }
  return armed.slice(before.length)
}

type ParsedWorkspace = StateParsed['workspaces'][string]
type ParsedProject = ParsedWorkspace['projects'][number]

/** A state from its input form. Identifiers and times that the input leaves out are generated. @throws {SandboxError} with every problem */
export function newState(input: StateInput, chance: Chance, nowMs: number): State {
  const parsed = parseState(input)
  if (parsed === undefined) throw new SandboxError("the sandbox's state has too many mistakes to show each one")
  if (!parsed.success) throw new SandboxError(`the sandbox's state cannot be read\n${z.prettifyError(parsed.error)}`)
  const { limit = { requests: 60, windowMs: 60_000 }, keys, applications, tokens, workspaces } = parsed.data
  chance.skip(takenIn(parsed.data))
  return {
    limit,
    users: usersOf(parsed.data, chance),
    keys,
    applications,
    tokens,
    workspaces: Object.fromEntries(Object.entries(workspaces).map(([slug, given]) => [slug, newWorkspace(given, chance, nowMs)])),
  }
}

/** The identifiers of all rows, at any depth, and the values of tokens: a saved state has those that the same seed gives again. */
function* takenIn(input: unknown): Generator<string> {
  if (typeof input !== 'object' || input === null) return
  for (const [name, value] of Object.entries(input)) {
    if (typeof value !== 'string') yield* takenIn(value)
    else if (name === 'id' || name === 'value') yield value
  }
}

function newWorkspace(given: ParsedWorkspace, chance: Chance, nowMs: number): Workspace {
  const row = <Row extends RowInput>(input: Row) => withRow(input, chance, nowMs)
  return {
    projects: given.projects.map((project) => newProject(project, chance, nowMs)),
    projectMappings: given.projectMappings.map(row),
    workspaceMappings: given.workspaceMappings.map(row),
    config: given.config && row(given.config),
    roles: given.roles,
    stickies: given.stickies.map(row),
    pages: given.pages.map(row),
    id: given.id ?? chance.uuid(),
  }
}

function newProject(given: ParsedProject, chance: Chance, nowMs: number): Project {
  return {
    ...withRow(given, chance, nowMs),
    name: given.name ?? given.identifier,
    states: given.states.map((state) => ({ ...state, id: state.id ?? chance.uuid() })),
    workItems: given.workItems.map((item, index) => ({ ...withRow(item, chance, nowMs), sequence_id: item.sequence_id ?? index + 1 })),
  }
}

type RowInput = { id?: string | undefined; created_at?: number | undefined; updated_at?: number | undefined }

function withRow<Row extends RowInput>(given: Row, chance: Chance, nowMs: number) {
  const created_at = given.created_at ?? nowMs
  return { ...given, id: given.id ?? chance.uuid(), created_at, updated_at: given.updated_at ?? created_at }
}

/** All users that the state names. Each has one identifier. */
function usersOf({ users, keys, applications, workspaces }: StateParsed, chance: Chance): User[] {
  const usersByName = new Map(users.map((user) => [user.name, user]))
  const spaces = Object.values(workspaces)
  const projects = spaces.flatMap((workspace) => workspace.projects)
  const names = [
    ...[...keys, ...applications].map(({ owner }) => owner),
    ...projects.flatMap(({ members }) => members ?? []),
    ...projects.flatMap(({ workItems }) => workItems.flatMap(({ assignees }) => assignees)),
    ...spaces.flatMap(({ stickies }) => stickies.map(({ owner }) => owner)),
    ...spaces.flatMap(({ pages }) => pages.map(({ owned_by }) => owned_by)),
  ]
  for (const name of names) if (!usersByName.has(name)) usersByName.set(name, { name, utcOffset: 120 })
  return [...usersByName.values()].map(({ id, name, email = `${name}@example.com`, utcOffset }) => ({
    id: id ?? chance.uuid(),
    name,
    email,
    utcOffsetMinutes: utcOffset,
  }))
}
