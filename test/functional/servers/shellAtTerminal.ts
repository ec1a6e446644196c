import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { settled } from './consolePage.ts'
import { keycloakBin } from './keycloak.ts'

const root = join(import.meta.dirname, '../../..')

/** The columns of the terminal, so that the outputs fit a page. */
const columns = 80

/** `state`: the state of the sandbox after the command, as a state file; empty if no sandbox ran. */
export type Ran = { readonly command: string; readonly code: number; readonly out: string; readonly state: string }

export type ShellAtTerminal = AsyncDisposable & {
  readonly home: string
  /** Runs commands one after another in one bash. `control`: the address of the sandbox's own endpoints. */
  readonly run: (commands: readonly string[], control: string) => Promise<readonly Ran[]>
}

/**
 * A bash at a terminal, in a folder that looks like a clone of the project, with a home of its own. The tools of Keycloak are on its path.
 *
 * @param change is applied to each YAML file of `config`
 */
export async function openShell(change: (text: string) => string): Promise<ShellAtTerminal> {
  const home = await mkdtemp(join(tmpdir(), 'shell-'))
  const clone = join(home, 'plane-group-sync')
  await mkdir(clone)
  for (const name of ['bin', 'node_modules']) await symlink(join(root, name), join(clone, name))
  await cp(join(root, 'config'), join(clone, 'config'), { recursive: true })
  for await (const path of glob(join(clone, 'config/**/*.yaml'))) await writeFile(path, change(await readFile(path, 'utf8')))
  const env = {
    HOME: home,
    PATH: [...pathOfReader(), keycloakBin].join(':'),
    TERM: 'xterm',
    TZ: 'UTC',
    NO_COLOR: '1',
    // kcadm.sh keeps its session in the home of the account otherwise.
    KC_OPTS: `-Duser.home=${home} -XX:TieredStopAtLevel=1`,
    KC_CLI_PASSWORD: 'admin',
  }

  async function run(commands: readonly string[], control: string): Promise<readonly Ran[]> {
    const file = (name: string, index: number) => join(home, `${name}-${index}`)
    const lines = commands.flatMap((command, index) => [
      command,
      `echo $? > ${file('code', index)}`,
      ...settle(command, control),
      `curl --silent --output ${file('state', index)} ${control}state`,
      `printf '${mark}'`,
    ])
    await writeFile(join(home, 'script'), [...lines, 'kill $(jobs -p)', 'wait'].join('\n'))
    const child = spawn('script', ['-qec', `stty cols ${columns}; bash ${join(home, 'script')}`, '/dev/null'], {
      cwd: clone,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
    await once(child, 'close')
    const outs = said.split(mark)
    return Promise.all(
      commands.map(async (command, index) => ({
        command,
        code: Number(await readFile(file('code', index), 'utf8')),
        out: settled(outs[index] ?? ''),
        state: await readFile(file('state', index), 'utf8').catch(() => ''),
      })),
    )
  }
  return { home, run, [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }) }
}

/** The path without the folders that npm adds for its scripts: the Node there is often older. */
const pathOfReader = (): readonly string[] => (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'))

/** Ends the output of a command. No program prints this character. */
const mark = '\u001E'

/** After a command that starts or stops the sandbox, the next command waits until the sandbox is ready, or gone. */
function settle(command: string, control: string): readonly string[] {
  if (command.endsWith('&')) return [`curl --silent --retry 60 --retry-delay 1 --retry-connrefused ${control} > ready`]
  return command.startsWith('kill ') ? [`while curl --silent ${control} > ready; do sleep 0.1; done`] : []
}
