import { join, resolve } from 'node:path'
import type { GroupName, WorkspaceName } from '../core/mapping.ts'
import { shellWord, visible } from '../core/safeName.ts'
import { printDeclaration } from '../declaration/print.ts'
import { type Call, type Command, exitCodes, text, texts, UsageError } from './command.ts'
import { initHosts, initKinds, settingsPlaces } from './description.ts'
import { type Asking, openAsking } from './initAsking.ts'
import { type Ignored, ignoredIn, ignoreFile, requireNoSettings, writeNew } from './initFiles.ts'
import {
  type DirectoryAnswers,
  declarationFolder,
  directoryKinds,
  type InitKind,
  newSettingsFile,
  type PlaneAnswers,
  planeQuestions,
  type Question,
  secretFiles,
  settingsText,
} from './initQuestions.ts'
import { type InPlane, readDirectory, readPlane } from './initTrial.ts'
import { requireNoSecretIn } from './secretInDocument.ts'

/** Asks what it needs, tries it, and writes new files: settings, a declaration of what exists, and the workflow of a plan in pull requests. */
export const command: Command = {
  async run(call) {
    const folder = resolve(call.positionals[0] ?? '.')
    const isDryRun = call.values['dry-run'] === true
    if (!isDryRun) await requireNoSettings(folder, settingsPlaces)
    const asking = openAsking(call)
    try {
      await initIn(folder, isDryRun, asking, call)
    } catch (error) {
      const command = asking.commandSoFar()
      if (command !== undefined) call.terminal.err(`To begin again with these answers:\n  ${command}\n\n`)
      throw error
    }
    return exitCodes.done
  },
}

async function initIn(folder: string, isDryRun: boolean, asking: Asking, call: Call): Promise<void> {
  const { terminal, values } = call
  const given = givenValues(texts(values.set))
  const file = join(folder, newSettingsFile)
  const { answers: plane, result: inPlane } = await asking.untilItWorks(
    (isAgain) => planeAnswers(asking, isAgain, call),
    (answers) => readPlane(file, settingsText(answers, { kind: 'none', values: {} }), call),
  )
  const { answers: directory, result: groups } = await asking.untilItWorks(
    (isAgain) => directoryAnswers(asking, isAgain, given, call),
    (answers, isStrict) => readDirectory(file, settingsText(plane, answers), inPlane.existing, isStrict, call),
  )
  const host = await hostOf(asking, call)
  const ignored = await ignoredIn(folder, secretFiles(plane, directory))
  const slug = plane['workspace'] ?? ''
  const files = new Map([
    [newSettingsFile, settingsText(plane, directory)],
    [`${declarationFolder}/${slug}.yaml`, await declarationText(slug, inPlane, groups)],
    ...(ignored.isNew ? [[ignoreFile, ignored.lacking.map((line) => `${line}\n`).join('')] as const] : []),
    ...(host === 'none' ? [] : Object.entries(await workflowsOf(host))),
  ])
  for (const [name, content] of files) requireNoSecretIn(content, visible(name), terminal.secrets)
  if (isDryRun) {
    for (const [name, content] of files) terminal.out(`# ${visible(name)}\n${content}\n`)
    terminal.err('Nothing was written: --dry-run.\n')
    return
  }
  await writeNew(folder, files, terminal)
  if (values.quiet !== true) terminal.err(nextSteps(folder, host, ignored, [...files.keys()], terminal.env.PLANE_GROUP_SYNC_CONFIG))
}

async function planeAnswers(asking: Asking, isAgain: boolean, { values, terminal: { env } }: Call): Promise<PlaneAnswers> {
  const [workspace, other] = texts(values.workspace)
  if (other !== undefined) throw new UsageError('init writes one workspace: name further ones in the settings afterwards')
  const key = text(values.key) ?? (unlessBlank(env.PLANE_API_KEY) === undefined ? undefined : 'env:PLANE_API_KEY')
  const given: Readonly<Record<string, string | undefined>> = {
    'base-url': text(values['base-url']) ?? env.PLANE_BASE_URL,
    caFile: text(values['ca-file']),
    workspace: workspace ?? env.PLANE_WORKSPACE_SLUG,
    key,
  }
  return answersTo(
    planeQuestions,
    (name) => given[name],
    (name) => `--${name === 'caFile' ? 'ca-file' : name}`,
    asking,
    isAgain,
  )
}

/** An empty variable is as good as none. */
const unlessBlank = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === '' ? undefined : value.trim()

async function directoryAnswers(
  asking: Asking,
  isAgain: boolean,
  given: ReadonlyMap<string, string>,
  { values }: Call,
): Promise<DirectoryAnswers> {
  const asks = `Directory with the groups: ${initKinds.join(', ')}`
  const which = { name: 'directory', asks, usually: 'none', among: initKinds }
  const kind = (await asking.answerTo({ ...which, option: '--directory', given: unlessBlank(text(values.directory)) })) as InitKind
  const questions: readonly Question[] = directoryKinds[kind].questions
  const unknown = [...given.keys()].find((name) => questions.every((question) => question.name !== name))
  if (unknown !== undefined && !isAgain) {
    const cure =
      questions.length === 0 ? 'choose a directory with --directory' : `name one of: ${questions.map(({ name }) => name).join(', ')}`
    throw new UsageError(`--set ${visible(unknown)}: a directory of the kind ${kind} has no such value`, { cure })
  }
  return {
    kind,
    values: await answersTo(
      questions,
      (name) => given.get(name),
      (name) => `--set ${name}`,
      asking,
      isAgain,
    ),
  }
}

/** @param given the answer of the command line or the environment. @param option how the command line gives it */
async function answersTo(
  questions: readonly Question[],
  given: (name: string) => string | undefined,
  option: (name: string) => string,
  asking: Asking,
  isAgain: boolean,
): Promise<Readonly<Record<string, string>>> {
  const answers: Record<string, string> = {}
  for (const question of questions) {
    const { name, asked } = question
    const answer = unlessBlank(given(name))
    if (answer === undefined && asked?.(answers, isAgain) === false) continue
    answers[name] = await asking.answerTo({ ...question, option: option(name), given: answer })
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

type Host = (typeof initHosts)[number]

async function hostOf(asking: Asking, { values }: Call): Promise<Host> {
  const asks = `Workflow that shows plans in pull requests: ${initHosts.join(', ')}`
  const question = { name: 'ci', asks, usually: 'none', among: initHosts }
  return (await asking.answerTo({ ...question, option: '--ci', given: unlessBlank(text(values.ci)) })) as Host
}

async function declarationText(slug: string, { existing, roles }: InPlane, groups: readonly GroupName[] | undefined): Promise<string> {
  const rules = printDeclaration(slug as WorkspaceName, existing, { lists: 'every', roles })
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

const gitlabFile = '.gitlab-ci.yml'

/**
 * @param written the names of the files, with which git can begin. Not all of the folder: it may have secrets
 * @param otherSettings the file that the environment names
 */
function nextSteps(
  folder: string,
  host: Host,
  { isNew, lacking }: Ignored,
  written: readonly string[],
  otherSettings: string | undefined,
): string {
  const enter = [
    ...(folder === resolve('.') ? [] : [`  cd ${shellWord(folder)}`]),
    ...(otherSettings ? ['  unset PLANE_GROUP_SYNC_CONFIG      it names other settings'] : []),
  ]
  const tops = [...new Set(written.map((name) => name.replace(/\/.*/, '')))].filter((name) => name !== gitlabFile)
  return [
    'Next:',
    ...enter,
    '  plane-group-sync plan        what would change: nothing yet',
    '  plane-group-sync doctor      what is wrong around it',
    `  git add ${tops.join(' ')}`,
    ...(isNew ? [] : lacking.map((line) => `  printf '\\n%s\\n' ${shellWord(line)} >> ${ignoreFile}      keep it out of git`)),
    ...(host === 'gitlab' ? [`  move ${gitlabFile} to a project of its own, which no branch can edit: docs/pull-requests.md`] : []),
    ...(host === 'none' ? [] : ['  fill in the blanks <…> of the workflow: docs/pull-requests.md']),
    '',
  ].join('\n')
}
