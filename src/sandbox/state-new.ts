import { z } from 'zod'
import type { Chance } from './chance.ts'
import { SandboxError } from './problem.ts'
import type { Project, State, User, Workspace } from './state.ts'
import { parseState, type StateInput, type StateParsed } from './state-input.ts'

type ParsedWorkspace = StateParsed['workspaces'][string]
type ParsedProject = ParsedWorkspace['projects'][number]

/** A state from its input form. Identifiers and times that the input leaves out are generated. @throws {SandboxError} with every problem */
export function newState(input: StateInput, chance: Chance, nowMs: number): State {
  const parsed = parseState(input)
  if (parsed === undefined) throw new SandboxError("the sandbox's state has too many mistakes to show each one")
  if (!parsed.success) throw new SandboxError(`the sandbox's state cannot be read\n${z.prettifyError(parsed.error)}`)
  const { limit = { requests: 60, windowMs: 60_000 }, keys, applications, tokens, workspaces } = parsed.data
  return {
    limit,
    users: usersOf(parsed.data, chance),
    keys,
    applications,
    tokens,
    workspaces: Object.fromEntries(Object.entries(workspaces).map(([slug, given]) => [slug, newWorkspace(given, chance, nowMs)])),
  }
}

function newWorkspace(given: ParsedWorkspace, chance: Chance, nowMs: number): Workspace {
  const row = <Row extends RowInput>(one: Row) => withRow(one, chance, nowMs)
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
  const found = new Map(users.map((user) => [user.name, user]))
  const spaces = Object.values(workspaces)
  const projects = spaces.flatMap((workspace) => workspace.projects)
  const names = [
    ...[...keys, ...applications].map(({ owner }) => owner),
    ...projects.flatMap(({ members }) => members ?? []),
    ...projects.flatMap(({ workItems }) => workItems.flatMap(({ assignees }) => assignees)),
    ...spaces.flatMap(({ stickies }) => stickies.map(({ owner }) => owner)),
    ...spaces.flatMap(({ pages }) => pages.map(({ owned_by }) => owned_by)),
  ]
  for (const name of names) if (!found.has(name)) found.set(name, { name, utcOffset: 120 })
  return [...found.values()].map(({ id, name, email = `${name}@example.com`, utcOffset }) => ({
    id: id ?? chance.uuid(),
    name,
    email,
    utcOffsetMinutes: utcOffset,
  }))
}
