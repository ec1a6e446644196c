import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generatedPages, groups } from '../../../scripts/site/pages.ts'
import { sandboxOptions } from '../../../src/sandbox/options.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts'

/**
 * Each command in a block of a page is run, beside a daemon and the sandbox. Stand-ins for `kubectl`, `helm`, `docker`, `npm` and `npx` take only the forms
 * that they know; what they do to a cluster is tried by the suites of the chart and of Kubernetes. `kubectl exec … --` runs the rest of its line here.
 * Pages with a test of their own: first steps (`servers/firstSteps.test.ts`) and the sandbox (`sandboxPage.test.ts`).
 */
const root = join(import.meta.dirname, '../../..')
const own = new Set(['first-steps-keycloak', 'first-steps-ldap', 'first-steps-entra', 'sandbox'])
const pages = [
  ...groups.flatMap((group) => group.pages).flatMap((name) => (own.has(name) || generatedPages.has(name) ? [] : `docs/${name}.md`)),
  'README.md',
]

type Command = { readonly page: string; readonly line: string }

function commandsOf(page: string, text: string): readonly Command[] {
  const blocks = [...text.matchAll(/^( *)```(sh|console)\n([^]*?)^ *```/gm)]
  return blocks.flatMap(([, , language, body = '']) =>
    body
      .replaceAll(/\\\n\s*/g, ' ')
      .split('\n')
      .map((line) => line.trim())
      .flatMap((line) => (language === 'sh' ? line : line.startsWith('$ ') ? line.slice(2) : []))
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => ({ page, line })),
  )
}

const commands = (await Promise.all(pages.map(async (page) => commandsOf(page, await readFile(join(root, page), 'utf8'))))).flat()

const exampleId = '7a51c03c2e8806424052474adbd89056'
let folder = ''
let sandbox: Sandbox
let stop: () => Promise<void>
let id = ''
let env: NodeJS.ProcessEnv = {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'page-commands-'))
  await cp(join(root, 'config/demo'), folder, { recursive: true })
  for (const name of ['helm', 'Dockerfile', 'config']) await symlink(join(root, name), join(folder, name))
  for (const name of ['bin', 'my-config', 'platform', 'groups/platform']) await mkdir(join(folder, name), { recursive: true })
  for (const name of [
    'api-key.txt',
    'ldap.txt',
    'keycloak.txt',
    'values.yaml',
    'common.yaml',
    'north.yaml',
    'south.yaml',
    'plan-job.yaml',
    '.npmrc',
    'ca.pem',
  ])
    await writeFile(join(folder, name), '')
  await writeFile(join(folder, 'plane-group-sync-0.2.0.tgz'), '')
  await symlink(join(root, 'bin/plane-group-sync'), join(folder, 'bin/plane-group-sync'))
  for (const [name, script] of Object.entries(standIns)) {
    await writeFile(join(folder, 'bin', name), script)
    await chmod(join(folder, 'bin', name), 0o755)
  }
  const name = join(root, 'config/demo/service.yaml')
  sandbox = await startSandbox(sandboxOptions({ limit: '6000/minute', state: { name, text: await readFile(name, 'utf8') } }))
  env = {
    PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
    HOME: folder,
    PLANE_BASE_URL: sandbox.url,
    PLANE_API_KEY: 'demo-key',
    PLANE_GROUP_SYNC_CONFIG: join(folder, 'config.yaml'),
  }
  id = /--allow ([0-9a-f]{32})/.exec((await bash('plane-group-sync plan')).out)?.[1] ?? 'no ID'
  const daemon = spawn(join(folder, 'bin/plane-group-sync'), ['run', '--log-level', 'silent'], { cwd: folder, env, stdio: 'ignore' })
  stop = async () => {
    daemon.kill('SIGTERM')
    await once(daemon, 'exit')
  }
  for (let tries = 0; (await bash('plane-group-sync status')).code !== 0 && tries < 60; tries++) await pause(500)
}, 120_000)

afterAll(async () => {
  await stop?.()
  await sandbox?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function bash(script: string): Promise<{ readonly code: number; readonly out: string }> {
  const run = promisify(execFile)('bash', ['--noprofile', '--norc', '-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env,
    timeout: 60_000,
  })
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, out: error.stdout + error.stderr }),
  )
}

/** Commands that wait for a person or a server, or are run elsewhere. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^npm ci\b|^npm run demo\b/, '.ci/run, and test/functional/demo.test.ts'],
  [/^(?:npm install --global|npx) \.\/plane-group-sync-/, 'test/functional/bundle/package.test.ts'],
  [/^curl -s http:\/\/127\.0\.0\.1:9464\/metrics/, 'test/kubernetes'],
  [/^ID=/, 'the next line'],
  [/^plane-group-sync init\b/, 'firstMinute.test.ts: it writes no file where settings are'],
  [/--transcript\b/, 'groups.test.ts: it needs a directory over HTTP'],
  [
    /^(?:kubectl create configmap|kubectl .*create configmap|git rev-parse)/,
    'test/functional/revision.long.test.ts: it needs a repository',
  ],
]

/** By the words that a command has beside those of the program. */
const expected = (line: string): readonly number[] => {
  if (/ plan\b| apply\b/.test(line)) return [3, 0, 1]
  if (/ report --at 2027/.test(line)) return [64, 1, 0]
  if (/ approve\b/.test(line)) return [0, 3]
  if (/ doctor\b/.test(line)) return [0, 1]
  return [0]
}

test('the pages have commands', () => expect(commands.length).toBeGreaterThan(40))

test.each(commands.map(({ page, line }) => [page, line] as const))('%s: %s', async (_page, line) => {
  if (elsewhere.some(([form]) => form.test(line))) return
  // At a terminal `apply` would ask.
  const asked = line.replace(/ apply --allow /, ' apply --yes --allow ')
  const { code, out } = await bash(asked.replaceAll(exampleId, id).replaceAll('"$ID"', id).replaceAll('~/', `${folder}/`))
  expect(expected(line), out).toContain(code)
  expect(out).not.toMatch(/Usage:|unknown (?:command|option)|stand-in/)
})

const standIns: Readonly<Record<string, string>> = {
  kubectl: `#!/bin/bash
case "$*" in
  *" exec deploy/plane-group-sync -- "*) while [ "$1" != -- ]; do shift; done; shift; exec "$@" ;;
  *"logs deploy/plane-group-sync") echo '{"event":"summary"}' ;;
  "create namespace plane-group-sync"|*"get pods"|*"port-forward deploy/plane-group-sync 9464"|*"scale deployment plane-group-sync --replicas=0") ;;
  *"rollout restart deployment plane-group-sync"|*"delete job plan --ignore-not-found"|"create -f plan-job.yaml"|*"logs --follow"*" job/plan") ;;
  *"create secret generic plane-group-sync "*) for word in "$@"; do case $word in --from-file=*) test -e "\${word##*=}" ;; esac; done ;;
  *) echo "the stand-in does not know: kubectl $*" >&2; exit 9 ;;
esac
`,
  helm: `#!/bin/bash
case "$1 $2" in "upgrade --install"|"upgrade -n") ;; *) echo "the stand-in does not know: helm $*" >&2; exit 9 ;; esac
for word in "$@"; do case $word in helm/*|*.yaml) case $word in *=*) ;; *) test -e "$word" ;; esac ;; esac; done
`,
  docker: `#!/bin/bash
case "$1" in build) test -e Dockerfile ;; push|run) ;; *) echo "the stand-in does not know: docker $*" >&2; exit 9 ;; esac
`,
}
