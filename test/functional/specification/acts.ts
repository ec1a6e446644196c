import { expect } from 'vitest'
import type { MappingId, Target } from '../../../src/core/mapping.ts'
import { change, inProject, never } from '../planeWorld.ts'
import { project, projectMappings, type World } from '../specification-world.ts'

/** Why a line has no test through the client. */
export const notCalled = 'the program does not call this'

/** Actions of several rows, over bare HTTP or through the client. */

export type Client = ReturnType<World['client']>

export const engineers = { idp_group_name: 'engineers', role: 'member' }
export const items = `projects/${project}/work-items/`

export const create = (world: World, body: object = { project: 'ENG' }, kind = projectMappings) =>
  world.ask('POST', kind, { body: { ...engineers, ...body } })

export const creation = (target: Target, group = 'engineers', role = 'member') => change(group, target, { action: 'create', role })

/** Creates a mapping through the client. */
export async function made({ writer }: Client, target: Target = inProject('ENG')): Promise<MappingId> {
  const outcome = await writer.write(creation(target), never)
  expect(outcome).toMatchObject({ kind: 'done', mapping: expect.any(String) as string })
  return (outcome.kind === 'done' ? outcome.mapping : undefined) as MappingId
}

/** Makes every call of the client that reads. */
export async function readAll({ reader }: Client): Promise<void> {
  const readings = [
    await reader.mappings('projectRoles', never),
    await reader.mappings('workspaceRoles', never),
    await reader.projects(never),
    await reader.groupSync(never),
  ]
  expect(readings.map(({ status }) => status)).toEqual(readings.map(() => 'complete'))
}

/** The operation works with its scope and is refused with another. */
export async function needsScope(world: World, scope: string, run: (token: string) => Promise<{ status: number }>): Promise<void> {
  expect((await run(await world.token(scope))).status).toBeLessThan(300)
  expect((await run(await world.token('projects:read'))).status).toBe(403)
}

const writeScope = 'workspaces.group_sync:write'

/** The same for a write through the client: it works with a token that has the scope, and is refused with a token that has another. */
export async function writeNeedsScope(world: World, write: (client: Client) => Promise<object>): Promise<void> {
  expect(await write(world.client(world.as.oauth(writeScope)))).toMatchObject({ kind: 'done' })
  const refused = { kind: 'refused', code: 'forbidden', status: 403, sentence: expect.stringContaining(writeScope) as string }
  expect(await write(world.client(world.as.oauth('projects:read')))).toMatchObject(refused)
}

/** Gives the project `count` work items, each with a name of its own. */
export function growTo(count: number, { sandbox }: World): void {
  const rows = sandbox.state.workspaces.acme?.projects[0]?.workItems ?? []
  const [first] = rows
  if (first === undefined) return
  while (rows.length < count) rows.push({ ...first, id: crypto.randomUUID(), name: `Work ${rows.length}` })
}

/** Gives the workspace `count` projects, each with an identifier of its own. */
export function growProjectsTo(count: number, { sandbox }: World): void {
  const rows = sandbox.state.workspaces.acme?.projects ?? []
  const [first] = rows
  if (first === undefined) return
  while (rows.length < count) rows.push({ ...first, id: crypto.randomUUID(), identifier: `P${String(rows.length).padStart(4, '0')}` })
}

/** A parameter in the addresses of all requests so far. */
export const asked = ({ sandbox }: World, name: string) => sandbox.requests.map(({ query }) => new URLSearchParams(query).get(name))

export const bodies = ({ sandbox }: World) => sandbox.requests.flatMap(({ body }) => (body === '' ? [] : [JSON.parse(body) as object]))

export const keysOf = (value: object) => Object.keys(value).toSorted()
