import { startSandbox } from '../../../src/sandbox/server.ts'
import { InvalidDeclaration } from '../../../src/settings/declared.ts'
import { composed, standIn, usual } from './composed.ts'
import { over, type Row, type Tree, when } from './row.ts'

/** What the file of a team may say. Each row shows the plan of one file, or the problem of it. */

const fence = {
  owner: 'team-eng',
  workspace: 'acme',
  projectRoles: { projects: ['ENG'], groups: ['dev*'], roles: ['guest', 'member'] },
  workspaceRoles: { groups: ['devs'], roles: ['member'] },
}
const base = over(usual, { workspaces: { beta: {} }, fences: { 'groups.yaml': fence } })
const dayInMs = 86_400_000
const inHundredDays = new Date(Date.now() + 100 * dayInMs).toISOString().slice(0, 10)

const project = (rule: Tree) => ({ projectRoles: [{ group: 'devs', project: 'ENG', role: 'member', ...rule }] })
const workspace = { workspaceRoles: [{ group: 'devs', role: 'member' }] }
const created = (group: string, where = 'ENG', owner = 'team-eng') => `create ${where} ${group} = member, of ${owner}`

const row = (setting: string, acme: Tree, cases: Row['cases']): Row => ({
  setting,
  base,
  cases,
  see: (settings) => planOrProblem(settings, acme),
})

/** The plan of one file, or the problem of it. */
export async function planOrProblem(settings: Tree, acme: Tree): Promise<readonly string[]> {
  const state = { keys: [{ value: 'firstKey' }], workspaces: { acme: { projects: ['ENG', 'OPS'] }, beta: {} } }
  await using sandbox = await startSandbox({ limit: { requests: 1_000, windowMs: 60_000 }, state })
  await using program = await composed(settings, {
    ports: { [standIn.plane]: sandbox.url },
    files: {
      'groups.yaml': JSON.stringify({ version: 1, workspaces: { acme } }),
      'fences.yaml': JSON.stringify({ version: 1, fences: { 'groups.yaml': fence } }),
    },
  })
  try {
    const { workspaces } = await program.cycle()
    const plans = workspaces.flatMap((one) => (one.kind === 'judged' ? one.judged.plan : []))
    const invalid = plans.flatMap(({ findings }) => findings.filter(({ code }) => code === 'file-invalid'))
    if (invalid.length > 0) return [...new Set(invalid.map(({ sentence }) => sentence.split('; ')[0] as string))]
    return workspaces
      .flatMap((one) => (one.kind === 'judged' ? one.judged.plan.changes : []))
      .map((change) => {
        if (change.action !== 'create') return change.action
        const { target, group, role, because } = change
        return `create ${target.kind === 'project' ? target.project : target.kind} ${group} = ${role}, of ${because?.owner}`
      })
  } catch (error) {
    if (error instanceof InvalidDeclaration) return error.files.problems.map(({ message }) => message)
    throw error
  }
}

const outside = (message: string) => [`${message} (fence "groups.yaml")`]

export const fenceRows: readonly Row[] = [
  {
    setting: 'fencesFile',
    base: over(usual, { workspaces: { beta: {} } }),
    cases: [when(undefined, [created('devs', 'ENG', 'undefined')]), when('fences.yaml', [created('devs')])],
    see: (settings) => planOrProblem(settings, project({})),
  },
  row('fences.<name>', project({}), [
    when(undefined, ['no fence of the settings matches this file']),
    when('everything', [created('devs', 'ENG', 'undefined')]),
    when(fence, [created('devs')]),
  ]),
  row('fences.<name>.owner', project({}), [
    when('team-a', [created('devs', 'ENG', 'team-a')]),
    when('team-b', [created('devs', 'ENG', 'team-b')]),
  ]),
  row('fences.<name>.workspace', project({}), [when('acme', [created('devs')]), when('beta', outside('the workspace "acme" is outside'))]),
  row('fences.<name>.workspaceRoles.groups', workspace, [
    when(['dev?'], [created('devs', 'workspace')]),
    when(['ops'], outside('the group "devs" is outside')),
  ]),
  row('fences.<name>.workspaceRoles.roles', workspace, [
    when(['member'], [created('devs', 'workspace')]),
    when(['guest'], outside('the role "member" is outside')),
  ]),
  row('fences.<name>.projectRoles.projects', project({ project: 'OPS' }), [
    when(['ops', 'ENG'], [created('devs', 'OPS')]),
    when(['ENG'], outside('the project "OPS" is outside')),
  ]),
  row('fences.<name>.projectRoles.allProjects', { projectRoles: [{ group: 'devs', allProjects: true, role: 'member' }] }, [
    when(true, [created('devs', 'allProjects')]),
    when(false, outside('"allProjects" is outside')),
  ]),
  row('fences.<name>.projectRoles.groups', { projectRoles: [{ groupGlob: '*', project: 'ENG', role: 'member' }] }, [
    when(['dev*'], [created('devs')]),
    when(['*'], [created('devs'), created('ops')]),
  ]),
  row('fences.<name>.projectRoles.roles', project({}), [
    when(['member'], [created('devs')]),
    when(['guest'], outside('the role "member" is outside')),
  ]),
  row('fences.<name>.may', project({ unknownGroups: 'send' }), [
    when(['unknownGroups'], [created('devs')]),
    when(['expires'], outside('"unknownGroups" is not allowed here')),
  ]),
  row('fences.<name>.demand.reason', project({}), [when(false, [created('devs')]), when(true, outside('a rule needs a "reason" here'))]),
  row('fences.<name>.demand.expires.<name>', project({ expires: inHundredDays }), [
    when(undefined, outside('"expires" is not allowed here')),
    when('90d', outside('a rule with the role "member" ends at most 90 d after today here')),
    when('200d', [created('devs')]),
  ]),
]
