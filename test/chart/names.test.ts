import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { chart, tool } from './helm.ts'

const folder = await mkdtemp(join(tmpdir(), 'names-'))
afterAll(() => rm(folder, { recursive: true }))

const small = ['--kube-version', '1.35.0', '--values', 'test/chart/values/small.yaml']
const released = (release: string, ...args: readonly string[]) => tool('helm', 'template', release, chart, ...small, ...args)
const isValid = async (rendered: string) => {
  const file = join(folder, 'rendered.yaml')
  writeFileSync(file, rendered)
  await tool('kubernetes-validate', '-k', '1.35', '--strict', file)
}
/** The names in a file of values, as texts. */
const named = (value: string, path: string): readonly string[] => ['--set-string', `${path}=${value}`]

describe('a name that YAML reads as a number or as true stays a text', () => {
  it.each([
    ['nameOverride', '123'],
    ['nameOverride', 'true'],
    ['existingSecret', '123'],
    ['persistence.existingClaim', '123'],
    ['serviceAccount.name', '123'],
  ])('%s: %s', async (path, value) => {
    await isValid(await released('demo', ...named(value, path)))
  })

  it('the ConfigMap of a declaration', async () => {
    await isValid(await released('demo', '--set', 'declaration.files=null', ...named('123', 'declaration.existingConfigMap')))
    const one = ['--set-string', 'declaration.configMaps[0].name=123,declaration.configMaps[0].folder=1']
    await isValid(await released('demo', '--set', 'declaration.files=null', ...one))
  })

  it('a Helm release', async () => {
    await isValid(await released('123', '--set', 'fullnameOverride=plane-groups'))
  })
})

describe('the names of objects are names that Kubernetes accepts', () => {
  it('if the Helm release has a dot, or a name that is cut off at a hyphen', async () => {
    expect(await released('eu.prod')).toContain('name: "eu-prod-plane-group-sync-metrics"')
    expect(await released('demo', '--set', `fullnameOverride=${'a'.repeat(48)}--b`)).toContain(`name: "${'a'.repeat(48)}"`)
  })

  it('or the chart refuses them', async () => {
    const sentence =
      "value must be 'at most 63 lower-case letters, digits and hyphens, such as plane-groups, with a letter or digit at both ends'"
    for (const value of ['Groups', 'plane groups', 'plane_groups', 'plane.groups', '-groups', 'groups-', 'a'.repeat(64)]) {
      for (const path of ['nameOverride', 'fullnameOverride']) {
        await expect(released('demo', ...named(value, path)), `${path} ${value}`).rejects.toThrow(`at '/${path}': ${sentence}`)
      }
    }
  })

  it('and a name that begins with a digit, since a Service may not have it', async () => {
    const refusal = 'a Service has a name that begins with a letter: set fullnameOverride, such as plane-groups'
    await expect(released('2nd')).rejects.toThrow(refusal)
    await expect(released('demo', ...named('2nd', 'fullnameOverride'))).rejects.toThrow(refusal)
    await isValid(await released('2nd', '--set', 'service.enabled=false'))
  })
})

describe('a label that Kubernetes does not accept is refused', () => {
  it.each(['commonLabels', 'podLabels', 'serviceMonitor.labels', 'prometheusRule.labels', 'dashboard.labels'])('%s', async (path) => {
    await expect(released('demo', ...named('two words', `${path}.team`))).rejects.toThrow('at most 63 letters, digits')
  })

  it('and no other', async () => {
    for (const value of ['a'.repeat(64), 'ends-']) {
      await expect(released('demo', ...named(value, 'commonLabels.team')), value).rejects.toThrow('at most 63 letters, digits')
    }
    for (const value of ['', 'platform', '1.0_a-b', 'a'.repeat(63)])
      await isValid(await released('demo', ...named(value, 'commonLabels.team')))
  })
})

it('a ServiceMonitor that the operator would refuse, in its own log only, is refused by the chart', async () => {
  const times = (interval: string, timeout: string) =>
    released('demo', '--set', `serviceMonitor.enabled=true,serviceMonitor.interval=${interval},serviceMonitor.scrapeTimeout=${timeout}`)
  await expect(times('30s', '1m')).rejects.toThrow('serviceMonitor.scrapeTimeout (1m) is longer than serviceMonitor.interval (30s)')
  for (const [interval, timeout] of [
    ['1m', '60s'],
    ['1h', '59m'],
    ['1s', '900ms'],
    ['', '10s'],
    ['30s', ''],
  ] as const) {
    expect(await times(interval, timeout)).toContain('kind: ServiceMonitor')
  }
})

it('the name of an image has neither tag nor digest, since these are values of their own', async () => {
  const sentence = 'the name of an image without tag and digest, such as registry.example.com/plane-group-sync'
  for (const name of ['registry.example.com/groups:1.0', 'groups@sha256:12', 'two words', 'https://registry.example.com/groups']) {
    await expect(released('demo', ...named(name, 'image.repository')), name).rejects.toThrow(sentence)
  }
  for (const name of ['groups', 'localhost:5000/groups', 'Registry.example.com:443/a/b_c--d', '[::1]:5000/groups']) {
    expect(await released('demo', ...named(name, 'image.repository')), name).toContain(`image: "${name}:`)
  }
  await expect(released('demo', ...named('1 0', 'image.tag'))).rejects.toThrow("at '/image/tag': value must be 'a tag, such as 0.2.0'")
})

it('the path of a declaration may end with a slash', async () => {
  const at = (path: string) => released('demo', '--set', 'declaration.files=null', ...named(path, 'declaration.path'))
  expect(await at('/git/current/groups/')).toContain('declaration: /git/current/groups/')
  await expect(at('groups/')).rejects.toThrow('an absolute path, such as /git/current/groups')
})
