import { expect, test } from 'vitest'
import { openPlace, type Place } from './program.ts'

/**
 * How many requests of each kind the program sends for three workspaces, and what each read is for.
 *
 * | read | needed for |
 * |---|---|
 * | each list of mappings | every plan begins with a fresh read |
 * | the projects | an identifier may name another project by now, or one that the key does not see |
 * | each list again, if no earlier cycle saw a mapping in it | an empty or short first answer proves nothing |
 * | each list and the projects after the first ten creates, if more follow | another program that makes the same mappings is noticed, and an identifier that moved |
 * | the settings of group sync, once | a plan says when people will feel it |
 */
const workspaces = ['acme', 'beta', 'gamma']
const projects = Array.from({ length: 10 }, (_, index) => `P${index}`)
const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`)

/** 100 mappings in each workspace. */
const declared = (workspace: string) => ({
  workspaceRoles: [{ group: numbered(`${workspace}-people`, 10), role: 'member' }],
  projectRoles: [{ group: numbered(`${workspace}-team`, 9), project: projects, role: 'member' }],
})
const groups = workspaces.flatMap((workspace) => [...numbered(`${workspace}-people`, 10), ...numbered(`${workspace}-team`, 9)])

const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

const place = (lists: (workspace: string) => object = declared) =>
  openPlace({
    groups,
    workspaces: Object.fromEntries(workspaces.map((workspace) => [workspace, { projects }])),
    declaration: { version: 1, workspaces: Object.fromEntries(workspaces.map((workspace) => [workspace, lists(workspace)])) },
    settings: {
      workspaces: Object.fromEntries(workspaces.map((workspace) => [workspace, {}])),
      guards: { creates: { count: 1000 }, run: { creates: 1000 }, day: { creates: 1000 } },
    },
  })

/** Runs a command, and counts the requests that it sends by method and kind. */
async function callsOf({ run, sandbox }: Place, ...args: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const before = sandbox.requests.length
  const { code, out, err } = await run(args)
  expect(code, out + err).toBe(0)
  const kinds = sandbox.requests.slice(before).map(({ method, path }) => `${method} ${path.split('/').at(-2)?.replace(uuid, 'by id')}`)
  return Object.fromEntries([...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length]))
}

const quiet = { 'GET workspace-mappings': 3, 'GET project-mappings': 3, 'GET projects': 3, 'GET config': 3 }

test('three workspaces with 300 mappings: 27 reads for the first apply, then 12 for a plan', async () => {
  await using here = await place()
  expect(await callsOf(here, 'plan')).toEqual({ 'GET workspace-mappings': 6, 'GET project-mappings': 6, 'GET projects': 3 })
  expect(await callsOf(here, 'apply', '--yes')).toEqual({
    ...{ 'GET workspace-mappings': 9, 'GET project-mappings': 9, 'GET projects': 6, 'GET config': 3 },
    ...{ 'POST workspace-mappings': 30, 'POST project-mappings': 270 },
  })
  expect(await callsOf(here, 'plan')).toEqual(quiet)
  expect(await callsOf(here, 'apply', '--yes')).toEqual(quiet)
  expect(await callsOf(here, 'run', '--once')).toEqual(quiet)

  here.sandbox.state.workspaces.acme?.projectMappings.splice(0, 1)
  expect(await callsOf(here, 'apply', '--yes')).toEqual({
    ...quiet,
    // Whether the mapping is gone, or the list lacks it.
    ...{ 'GET by id': 1, 'POST project-mappings': 1 },
  })
})

test('a list that no rule declares is not read, nor the projects where no rule names one', async () => {
  await using here = await place((workspace) => ({ workspaceRoles: declared(workspace).workspaceRoles }))
  await callsOf(here, 'apply', '--yes')
  expect(await callsOf(here, 'plan')).toEqual({ 'GET workspace-mappings': 3, 'GET config': 3 })
})
