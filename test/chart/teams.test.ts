import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { configOf, type Manifest, manifests, render } from './helm.ts'

const folder = await mkdtemp(join(tmpdir(), 'chart-teams-'))
afterAll(() => rm(folder, { recursive: true }))

const root = '/etc/plane-group-sync/groups'
type Pod = {
  readonly containers: readonly [{ readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[] }]
  readonly volumes: readonly { readonly name: string; readonly configMap?: { readonly name: string; readonly optional?: boolean } }[]
}
const podOf = (all: readonly Manifest[]): Pod =>
  (all.find(({ kind }) => kind === 'Deployment') as unknown as { spec: { template: { spec: Pod } } }).spec.template.spec

/** The ConfigMaps of the declaration: name → folder below the declaration, by the mounts of the rendered pod. */
function mountsOf(all: readonly Manifest[]): ReadonlyMap<string, string> {
  const { containers, volumes } = podOf(all)
  const mounts = containers[0].volumeMounts.filter(({ mountPath }) => mountPath.startsWith(`${root}/`))
  return new Map(
    mounts.map(({ name, mountPath }) => [
      volumes.find((one) => one.name === name)?.configMap?.name ?? '',
      mountPath.slice(root.length + 1),
    ]),
  )
}

describe('each team has a ConfigMap in a folder of its own', async () => {
  const text = await render('--values', 'test/chart/values/teams.yaml')
  const mounts = mountsOf(manifests(text))
  const groups = join(folder, 'groups')
  const config = join(folder, 'config.yaml')
  let edits = 0

  /** Brings a ConfigMap to its mount as the kubelet does: links into a folder that is replaced as a whole. Without files the folder is empty. */
  async function bring(name: string, files: Readonly<Record<string, string>>): Promise<void> {
    const mount = join(groups, mounts.get(name) as string)
    const real = `..${++edits}`
    await mkdir(join(mount, real), { recursive: true })
    for (const [file, content] of Object.entries(files)) await writeFile(join(mount, real, file), content)
    await symlink(real, join(mount, '..data_tmp'))
    await rename(join(mount, '..data_tmp'), join(mount, '..data'))
    for (const file of Object.keys(files)) await symlink(`..data/${file}`, join(mount, file)).catch(() => undefined)
  }
  const rule = (group: string, project: string, role = 'member') =>
    `version: 1\nworkspaces:\n  acme:\n    projectRoles:\n      - { group: ${group}, project: ${project}, role: ${role} }\n`
  const validated = async (): Promise<string> =>
    promisify(execFile)(process.execPath, ['src/main.ts', 'validate', '-c', config]).then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
    )

  beforeEach(async () => {
    await rm(groups, { recursive: true, force: true })
    await writeFile(config, configOf(text).replace(root, groups).replace('/var/lib/plane-group-sync', join(folder, 'journal')))
    await bring('groups-platform', { 'acme.yaml': rule('staff', 'ENG') })
    await bring('groups-payments', { 'acme.yaml': rule('payments-dev', 'PAY') })
  })

  it('and the files of all teams are read', async () => {
    expect(mounts).toEqual(
      new Map([
        ['groups-platform', 'platform'],
        ['groups-payments', 'teams/payments'],
      ]),
    )
    expect(await validated()).toContain('2 files')
  })

  it('and a team can say only what its fence contains', async () => {
    await bring('groups-payments', { 'acme.yaml': rule('payments-dev', 'ENG', 'admin') })
    expect(await validated()).toMatch(/teams\/payments\/acme\.yaml:5:\d+: .*is outside \(fence "teams\/payments\/\*\*"\)/)
  })

  it('and the pod also starts without a ConfigMap that is optional, and without no other', async () => {
    const optional = podOf(manifests(text)).volumes.flatMap(({ configMap }) => (configMap?.optional === true ? [configMap.name] : []))
    expect(optional).toEqual(['groups-payments'])
    await rm(join(groups, 'teams/payments'), { recursive: true })
    await bring('groups-payments', {})
    expect(await validated()).toContain('1 file')
  })
})

it.each([
  ['above the declaration', '../etc'],
  ['in the middle', 'teams/../platform'],
  ['absolute', '/etc'],
  ['hidden', '.hidden'],
  ['empty', ''],
  ['that ends with a slash', 'teams/'],
])('refuses a folder %s', async (_what, name) => {
  const refused = render('--set', `declaration.configMaps[0].name=a,declaration.configMaps[0].folder=${name}`)
  await expect(refused).rejects.toThrow("at '/declaration/configMaps/0/folder': value must be 'a folder below the declaration, such as")
})

it.each([
  ['teams', 'teams'],
  ['teams', 'teams/payments'],
  ['teams/payments', 'teams'],
])('refuses the folders %s and %s beside each other', async (first, second) => {
  const [one, two] = ['declaration.configMaps[0]', 'declaration.configMaps[1]']
  const refused = render('--set', `${one}.name=a,${one}.folder=${first},${two}.name=b,${two}.folder=${second}`)
  await expect(refused).rejects.toThrow('give each ConfigMap a folder beside the others')
})

it('allows folders of which one begins like the other', async () => {
  const [one, two] = ['declaration.configMaps[0]', 'declaration.configMaps[1]']
  expect(await render('--set', `${one}.name=a,${one}.folder=team,${two}.name=b,${two}.folder=team-pay`)).toContain('/groups/team-pay')
})
