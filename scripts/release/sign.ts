import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkSums, sumsFile } from './checksums.ts'
import type { Facts } from './make.ts'
import { provenance } from './provenance.ts'
import { run } from './run.ts'

/**
 * Signs the files of a release with cosign, and says in a signed statement where each comes from. In the workflow GitHub says who signs, and no key exists. This
 * file imports no package, so the job that may sign installs none.
 *
 * @param key the file of a key, for a trial: nothing is written to a public log then
 */
export async function sign(
  folder: string,
  { key, env = process.env }: { readonly key?: string; readonly env?: NodeJS.ProcessEnv },
): Promise<void> {
  const facts = JSON.parse(await readFile(join(folder, 'release.json'), 'utf8')) as Facts
  if (facts.local && key === undefined)
    throw new Error(`${folder} was made with --local: it is not for publication, and only signed with --key`)
  // What was built comes from another job, which ran code of others. This job knows the commit and the tag from GitHub.
  const tag = `refs/tags/v${facts.version}`
  if (key === undefined && (env['GITHUB_SHA'] !== facts.commit || env['GITHUB_REF'] !== tag))
    throw new Error(`release.json is of ${facts.commit} and ${tag}, and this run is of ${env['GITHUB_SHA']} and ${env['GITHUB_REF']}`)
  await checkSums(folder)
  const server = env['GITHUB_SERVER_URL'] ?? ''
  const origin = {
    ...facts,
    builder: key === undefined ? `${server}/${env['GITHUB_WORKFLOW_REF']}` : 'https://localhost/trial',
    ...(key === undefined && { invocation: `${server}/${env['GITHUB_REPOSITORY']}/actions/runs/${env['GITHUB_RUN_ID']}` }),
    at: new Date(),
  }
  await writeFile(join(folder, 'provenance.json'), provenance(origin))
  const how = key === undefined ? ['--yes'] : ['--yes', '--key', key, '--use-signing-config=false', '--tlog-upload=false']
  for (const file of [...facts.files, sumsFile])
    await run('cosign', ['sign-blob', ...how, '--bundle', `${file}.sigstore.json`, file], folder)
  for (const file of facts.files) {
    const about = ['--type', 'slsaprovenance1', '--predicate', 'provenance.json', '--bundle', `${file}.provenance.sigstore.json`]
    await run('cosign', ['attest-blob', ...how, ...about, file], folder)
  }
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { key: { type: 'string' } } })
  await sign(positionals[0] ?? 'released', values).catch((error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
}
