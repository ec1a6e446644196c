import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { render } from '../chart/helm.ts'
import { toolsFolder } from '../toolsFolder.ts'
import { valuesFiles } from './values.ts'

/** The findings that docs/kubernetes.md accepts, as `kube-score deployment-replicas`. */
function accepted(): readonly string[] {
  const [, table = ''] = readFileSync('docs/kubernetes.md', 'utf8').split('### What scanners say')
  return [...table.matchAll(/^\| (kube-score|checkov) \| (.+?) \|/gm)].flatMap(([, scanner, ids = '']) =>
    [...ids.matchAll(/`([\w-]+)`/g)].map(([, id]) => `${scanner} ${id}`),
  )
}

/** Runs a scanner. It ends with an exit code other than 0 when it finds anything. */
async function scan(program: string, ...args: readonly string[]): Promise<unknown> {
  const path = join(toolsFolder, 'scanners/bin', program)
  const { stdout } = await promisify(execFile)(path, args, { timeout: 120_000, maxBuffer: 2 ** 26 }).catch(
    (error: { code?: unknown; stdout?: string }) => {
      if (error.code === 'ENOENT') throw new Error(`${program} is not installed: run .ci/install-chart-scanners`, { cause: error })
      return { stdout: error.stdout ?? '' }
    },
  )
  return JSON.parse(stdout)
}

type Scored = readonly {
  readonly checks: readonly { readonly check: { readonly id: string }; readonly grade: number; readonly skipped: boolean }[]
}[]
type Checked = {
  readonly results: { readonly passed_checks: readonly unknown[]; readonly failed_checks: readonly { readonly check_id: string }[] }
}
const highest = 10

async function findingsIn(file: string): Promise<readonly string[]> {
  const scored = (await scan('kube-score', 'score', '--output-format', 'json', file)) as Scored
  const checked = (await scan('checkov', '--file', file, '--framework', 'kubernetes', '--skip-download', '--output', 'json')) as Checked
  // A scanner that understood nothing finds nothing, too.
  expect(scored.length).toBeGreaterThan(0)
  expect(checked.results.passed_checks.length).toBeGreaterThan(50)
  return [
    ...scored.flatMap(({ checks }) =>
      checks.flatMap(({ check, grade, skipped }) => (skipped || grade === highest ? [] : [`kube-score ${check.id}`])),
    ),
    ...checked.results.failed_checks.map(({ check_id }) => `checkov ${check_id}`),
  ]
}

test('scanners find exactly what docs/kubernetes.md explains', { timeout: 600_000 }, async () => {
  const found = new Set<string>()
  for (const [name, args] of valuesFiles) {
    const file = join(inject('nodeFolder'), `scanned-${name}.yaml`)
    await writeFile(file, await render(...args))
    for (const finding of await findingsIn(file)) found.add(finding)
  }
  expect([...found].toSorted()).toEqual(accepted().toSorted())
})
