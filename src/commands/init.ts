import { lstat, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { compose } from '../compose/compose.ts'
import type { GroupName, Mapping, WorkspaceName } from '../core/mapping.ts'
import { emptyMemory } from '../core/memory/memory.ts'
import { OperationalError } from '../core/operationalError.ts'
import { counted, listedFirst } from '../core/quantity.ts'
import { valueIfRead } from '../core/reading.ts'
import { knownRoles } from '../core/roles.ts'
import { oneLine, visible } from '../core/safeName.ts'
import type { CycleSources } from '../cycle/cycle.ts'
import { printDeclaration } from '../declaration/print.ts'
import { errnoOf, writeErrnoText } from '../files/errno.ts'
import { type LoadedSettings, settingsOf } from '../settings/load.ts'
import { type Call, type Command, choice, exitCodes, type Terminal, text, texts, UsageError } from './command.ts'
import { initHosts, initKinds, settingsPlaces } from './description.ts'
import { allMappings } from './export.ts'
import {
  declarationFolder,
  directoryKinds,
  directoryName,
  type InitAnswers,
  type InitKind,
  newSettingsFile,
  type Question,
  referenceIn,
  settingsText,
} from './initQuestions.ts'
import { requireReferences, worldFor } from './open.ts'
import { InvalidSettings } from './settings.ts'

/** Asks what it needs, tries it, and writes new files: settings, a declaration of what exists, and the workflow of a plan in pull requests. */
export const command: Command = {
  async run(call) {
    const { values, positionals, terminal } = call
    const folder = resolve(positionals[0] ?? '.')
    const isDryRun = values['dry-run'] === true
    if (!isDryRun) await requireNoSettings(folder)
    const answers = await answered(call)
    const host = await hostOf(call)
    const settings = settingsText(answers)
    const { existing, groups, loaded } = await tried(join(folder, newSettingsFile), settings, call)
    const files = new Map([
      [newSettingsFile, settings],
      [`${declarationFolder}/${answers.slug}.yaml`, await declarationText(answers.slug, existing, groups, loaded)],
      ...(host === 'none' ? [] : Object.entries(await workflowsOf(host))),
    ])
    if (isDryRun) {
      for (const [name, content] of files) terminal.out(`# ${visible(name)}\n${content}\n`)
      terminal.err('Nothing was written: --dry-run.\n')
      return exitCodes.done
    }
    await writeNew(folder, files, terminal)
    if (values.quiet !== true) terminal.err(nextSteps(folder, host))
    return exitCodes.done
  },
}

/** @throws {UsageError} if there are settings already, which a second file would hide, or be hidden by */
async function requireNoSettings(folder: string): Promise<void> {
  for (const place of settingsPlaces)
    if (await isThere(join(folder, place)))
      throw new UsageError(`there are settings already: ${visible(place)}`, {
        cure: 'give init another folder, or add --dry-run to only see what it would write',
      })
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error: unknown) => errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ENOTDIR',
  )

/** The answers of the command line and the environment, and for the rest those of the person at the terminal. @throws {UsageError} if there is none */
async function answered(call: Call): Promise<InitAnswers> {
  const { values, terminal } = call
  const { PLANE_BASE_URL, PLANE_API_KEY = '', PLANE_WORKSPACE_SLUG } = terminal.env
  const [named, other] = texts(values.workspace)
  if (other !== undefined) throw new UsageError('init writes one workspace: name further ones in the settings afterwards')
  const given = givenValues(texts(values.set))
  const baseUrl = await answerTo(
    { name: 'base-url', asks: 'Address of Plane, such as https://plane.example.com' },
    text(values['base-url']) ?? PLANE_BASE_URL,
    '--base-url',
    call,
  )
  const slug = await answerTo(
    { name: 'workspace', asks: 'Slug of the workspace, from its address in Plane' },
    named ?? PLANE_WORKSPACE_SLUG,
    '--workspace',
    call,
  )
  const key = await answerTo(
    { name: 'key', asks: 'API key of Plane', usually: 'env:PLANE_API_KEY', secret: true },
    text(values.key) ?? (PLANE_API_KEY.trim() === '' ? undefined : 'env:PLANE_API_KEY'),
    '--key',
    call,
  )
  const kind = choice(
    'directory',
    await answerTo(
      { name: 'directory', asks: `Directory with the groups: ${initKinds.join(', ')}`, usually: 'none' },
      text(values.directory),
      '--directory',
      call,
    ),
    initKinds,
    'none',
  )
  const directory = await directoryAnswers(kind, given, call)
  return { baseUrl, key, slug, kind, directory }
}

async function directoryAnswers(kind: InitKind, given: ReadonlyMap<string, string>, call: Call): Promise<InitAnswers['directory']> {
  const questions: readonly Question[] = directoryKinds[kind].questions
  const unknown = [...given.keys()].find((name) => questions.every((question) => question.name !== name))
  if (unknown !== undefined) {
    const cure =
      questions.length === 0 ? 'choose a directory with --directory' : `name one of: ${questions.map(({ name }) => name).join(', ')}`
    throw new UsageError(`--set ${visible(unknown)}: a directory of the kind ${kind} has no such value`, { cure })
  }
  const answers: Record<string, string> = {}
  for (const question of questions) {
    if (question.name === 'password' && answers['bindDn'] === 'anonymous') continue
    answers[question.name] = await answerTo(question, given.get(question.name), `--set ${question.name}`, call)
  }
  return answers
}

function givenValues(sets: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    sets.map((set) => {
      const at = set.indexOf('=')
      if (at < 1) throw new UsageError('--set takes NAME=VALUE', { cure: 'as in --set url=https://sso.example.com' })
      return [set.slice(0, at), set.slice(at + 1)] as const
    }),
  )
}

/** @param option how the command line gives the answer */
async function answerTo(
  { asks, usually, secret }: Question,
  given: string | undefined,
  option: string,
  { terminal, signal }: Pick<Call, 'terminal' | 'signal'>,
): Promise<string> {
  const answer = given ?? (await asked(asks, usually, secret === true, terminal, signal))
  const chosen = answer === undefined || answer.trim() === '' ? usually : answer.trim()
  if (chosen === undefined)
    throw new UsageError(`${option} is missing: ${asks}`, { cure: `add ${option}, or start init at a terminal, where it asks` })
  // The text may be the secret itself, so it is not shown.
  if (secret === true && referenceIn(chosen) === undefined)
    throw new UsageError(`${option} takes env:NAME or file:PATH, and never the secret itself`, {
      cure: 'put the secret into a variable or a file, and name this: the settings only name secrets',
    })
  return chosen
}

/** Undefined without a terminal, or at the end of the input. */
async function asked(
  asks: string,
  usually: string | undefined,
  isSecret: boolean,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!terminal.isTerminal.in || !terminal.isTerminal.err) return undefined
  const where = isSecret ? ' (only where it is: env:NAME or file:PATH)' : ''
  return terminal.ask(`${asks}${where}${usually === undefined ? '' : ` [${usually}]`}: `, signal)
}

async function hostOf({ values, terminal, signal }: Call): Promise<(typeof initHosts)[number]> {
  const question = 'Workflow that shows plans in pull requests: github, gitlab, none'
  const answer = text(values.ci) ?? (await asked(question, 'none', false, terminal, signal))
  return choice('ci', answer === undefined || answer.trim() === '' ? undefined : answer.trim(), initHosts, 'none')
}

type Tried = { readonly existing: readonly Mapping[]; readonly groups: readonly GroupName[] | undefined; readonly loaded: LoadedSettings }

/** Reads the mappings of Plane and the groups of the directory by these settings. Nothing is written, here or there. @throws if something cannot be read */
async function tried(file: string, settings: string, { values, terminal, signal }: Call): Promise<Tried> {
  const checked = await settingsOf(file, Buffer.from(settings), terminal.env)
  if (!checked.valid) throw new InvalidSettings(checked)
  const loaded: LoadedSettings = { ...checked, lacksDeclaration: true }
  const world = worldFor(loaded, values, terminal)
  await requireReferences(loaded, world)
  const program = await compose(loaded, world, [], () => emptyMemory)
  const tell = (sentence: string) => (values.quiet === true ? undefined : terminal.err(`${sentence}\n`))
  try {
    const [binding] = [...program.sources.bindings.values()].flat()
    if (binding === undefined) throw new OperationalError('NoWorkspace', 'the settings name no workspace')
    const existing = await allMappings(binding.read, signal)
    tell(`Plane: ${counted(existing.length, 'mapping')} in the workspace ${visible(binding.workspace)}`)
    const groups = await groupsOf(program.sources.directories, tell, signal)
    if (groups !== undefined) tellUnknown(existing, groups, tell)
    return { existing, groups, loaded }
  } finally {
    await program.close()
  }
}

type Tell = (sentence: string) => void

async function groupsOf(
  directories: CycleSources['directories'],
  tell: Tell,
  signal: AbortSignal,
): Promise<readonly GroupName[] | undefined> {
  const directory = directories.get(directoryName)
  if (directory === undefined) return undefined
  const reading = await directory.read(signal)
  if (reading.status === 'failed')
    throw new OperationalError('DirectoryUnread', `the directory cannot be read: ${reading.why}`, {
      cure: `${reading.cure ?? 'correct the answers, and start init again'}; nothing was written`,
    })
  const names = [...(valueIfRead(reading)?.keys() ?? [])]
  const part = reading.status === 'partial' ? `, but not whole: ${oneLine(reading.missing, 200)}` : ''
  tell(`${directory.kind}: ${counted(names.length, 'group')}${part}`)
  return names
}

/** A wrong form of names is the usual mistake of a first day: then no group is known. */
function tellUnknown(existing: readonly Mapping[], groups: readonly GroupName[], tell: Tell): void {
  const known = new Set(groups)
  const unknown = [...new Set(existing.map(({ group }) => group))].filter((group) => !known.has(group))
  if (unknown.length === 0) return
  const shown = unknown.slice(0, 5).map((group) => oneLine(group, 60))
  const example =
    groups.length === 0
      ? ''
      : `; its own names are such as ${groups
          .slice(0, 3)
          .map((group) => oneLine(group, 60))
          .join(', ')}`
  tell(
    `${counted(unknown.length, 'group')} of these mappings ${unknown.length === 1 ? 'is' : 'are'} not in the directory: ${listedFirst(shown, unknown.length)}${example}`,
  )
}

async function declarationText(
  slug: string,
  existing: readonly Mapping[],
  groups: readonly GroupName[] | undefined,
  { settings }: LoadedSettings,
): Promise<string> {
  const rules = printDeclaration(slug as WorkspaceName, existing, { lists: 'every', roles: knownRoles(settings.roles) })
  const head = '# The mappings that exist, as exact rules: the plan has no change. docs/declaration.md has all words.\n'
  if (groups === undefined) return head + rules
  const { patternComments, proposedPatterns } = await import('../declaration/printPatterns.ts')
  return head + rules + patternComments(proposedPatterns(existing, groups))
}

async function workflowsOf(host: 'github' | 'gitlab'): Promise<Readonly<Record<string, string>>> {
  const { workflowFiles } = await import('./workflowFiles.ts')
  const filled = (content: string) =>
    content.replace(/^( +CONFIG: ).*$/m, `$1${newSettingsFile}`).replace(/^( +DECLARATION: ).*$/m, `$1${declarationFolder}`)
  return Object.fromEntries(Object.entries(workflowFiles[host]).map(([name, content]) => [name, filled(content)]))
}

/** Writes all of the files, or none if one of these names is taken. A file that appears meanwhile is not replaced. */
async function writeNew(folder: string, files: ReadonlyMap<string, string>, { out, secrets }: Terminal): Promise<void> {
  for (const name of files.keys())
    if (await isThere(join(folder, name)))
      throw new UsageError(`${visible(name)} exists already, and init replaces no file; nothing was written`, {
        cure: 'give init another folder, or add --dry-run to only see what it would write',
      })
  for (const [name, content] of files) {
    const path = join(folder, name)
    try {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, secrets.scrub(content), { flag: 'wx' })
    } catch (cause) {
      throw new OperationalError('NotWritten', `${visible(name)} could not be written: ${writeErrnoText(cause)}`, { cause })
    }
    out(`${visible(name)}\n`)
  }
}

function nextSteps(folder: string, host: string): string {
  const enter = folder === resolve('.') ? [] : [`  cd ${visible(folder)}`]
  return [
    'Next:',
    ...enter,
    '  plane-group-sync plan        what would change: nothing yet',
    '  plane-group-sync doctor      what is wrong around it',
    '  git add . ; keep the folder "state" out of git: echo /state/ >> .gitignore',
    ...(host === 'none' ? [] : ['  fill in the blanks <…> of the workflow: docs/pull-requests.md']),
    '',
  ].join('\n')
}
