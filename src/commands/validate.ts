import { stat } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { realClock } from '../compose/realClock.ts'
import { counted, durationText } from '../core/quantity.ts'
import type { WorkspaceDeclaration } from '../core/rule.ts'
import { visible } from '../core/safeName.ts'
import { withoutSecretForms } from '../core/secretText.ts'
import { isTemplate } from '../core/team.ts'
import type { Declared } from '../cycle/workspaceContext.ts'
import type { CeilingRow, FenceBounds } from '../declaration/ceiling.ts'
import type { ValidationDocument, ValidationProblem } from '../documents/validation.ts'
import { annotation } from '../render/annotations.ts'
import { documentText } from '../render/documentText.ts'
import { revisionText } from '../render/revision.ts'
import { policyNotes } from '../settings/check.ts'
import { readDeclared } from '../settings/declared.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { absentSecrets, brokenFiles } from '../settings/references.ts'
import { invalidFiles, renderProblems } from '../yaml/frame.ts'
import { type InvalidFiles, InvalidInput, type Problem } from '../yaml/problem.ts'
import { type Call, type Command, choice, exitCodes, type Terminal, text, UsageError } from './command.ts'
import { validateFormats } from './description.ts'
import { InvalidSettings, openSettingsWithoutKey } from './settings.ts'

export const command: Command = {
  async run({ values, terminal, signal }) {
    const format = choice('format', values.format, validateFormats, 'text')
    const checked = await check(values, terminal, signal)
    const { invalid, notes } = checked
    const ceiling = await askedCeiling(text(values.ceiling), checked)
    if (format === 'text') {
      const [first, ...more] = invalid
      if (first !== undefined) throw more.length === 0 ? first : new InvalidSettings(together(invalid))
      terminal.out(`${summaryOf(checked)}\n`)
      if (ceiling !== undefined) terminal.out(`\n${ceilingText(ceiling)}\n`)
      if (notes.length > 0) terminal.out(`\n${renderProblems(notes.map(worded))}\n`)
    } else {
      const document = await documentOf(checked, ceiling, terminal.secrets.scrub)
      const lines = document.problems.map(annotation)
      terminal.out(`${format === 'json' ? documentText(document) : [...lines, summaryOf(checked)].join('\n')}\n`)
    }
    return invalid.length === 0 ? exitCodes.done : exitCodes.configuration
  },
}

/** A problem of files that can be used all the same. */
type Note = Problem & Pick<ValidationProblem, 'severity' | 'code'>

type Checked = {
  readonly notes: readonly Note[]
  readonly loaded?: LoadedSettings
  readonly declared?: Declared
  /** Empty: the files are valid. */
  readonly invalid: readonly InvalidInput[]
}

async function check(values: Call['values'], terminal: Terminal, signal: AbortSignal): Promise<Checked> {
  let known: Checked = { notes: [], invalid: [] }
  try {
    const loaded = await openSettingsWithoutKey(values, terminal, signal)
    const secrets = await absentSecrets(loaded, terminal.env)
    const notes = [
      ...secrets.map((problem): Note => ({ ...problem, severity: 'note', code: 'secret-not-checked' })),
      ...policyNotes(loaded.document()).map((problem): Note => ({ ...problem, severity: 'note', code: 'policy-sync' })),
    ]
    known = { loaded, notes, invalid: [] }
    const broken = await brokenFiles(loaded, signal)
    if (broken.length > 0) known = { ...known, invalid: [new InvalidSettings(invalidFiles(broken))] }
    const { declared, hints } = await readDeclared(loaded, realClock.wall(), signal, terminal.env)
    return known.invalid.length > 0 ? known : { ...known, declared, notes: [...hints, ...notes] }
  } catch (error) {
    if (error instanceof InvalidInput) return { ...known, invalid: [...known.invalid, error] }
    throw error
  }
}

const together = (invalid: readonly InvalidInput[]): InvalidFiles => ({
  valid: false,
  problems: invalid.flatMap(({ files }) => files.problems),
  text: invalid.map(({ files }) => files.text.trimEnd()).join('\n\n'),
})

const worded = ({ severity, message, ...rest }: Note): Problem => ({ ...rest, message: `${severity}: ${message}` })

async function documentOf(
  { notes, loaded, declared, invalid }: Checked,
  ceiling: Ceiling | undefined,
  scrub: (text: string) => string,
): Promise<ValidationDocument> {
  const errors = invalid.flatMap(({ what, files }) =>
    files.problems.map((problem): Note => ({ ...problem, severity: 'error', code: what })),
  )
  const place = loaded?.path(loaded.settings.declaration)
  const isFolder =
    place !== undefined &&
    (await stat(place)
      .then((is) => is.isDirectory())
      .catch(() => false))
  const cleaned = (text: string) => scrub(withoutSecretForms(text))
  const problems = [...errors, ...notes].map(({ severity, code, at, message, cure }): ValidationProblem => {
    const isDeclared = code === 'declaration' || code === 'old-word' || code === 'rule-ended'
    const path = isDeclared && place !== undefined ? pathIn(place, isFolder, at.file) : at.file
    return {
      severity,
      code,
      file: cleaned(fromHere(path)),
      ...(at.line === 0 ? {} : { line: at.line, column: at.column }),
      message: cleaned(message),
      ...(cure === undefined ? {} : { cure: cleaned(cure) }),
    }
  })
  return {
    format: 'plane-group-sync/validation',
    version: 1,
    valid: invalid.length === 0,
    settings: loaded && cleaned(fromHere(loaded.file)),
    declaration: declared && {
      hash: declared.hash,
      files: declared.files,
      revision: declared.revision,
      workspaces: declared.workspaces.size,
      ...countsOf(declared),
    },
    ...(ceiling === undefined ? {} : { ceiling: ceiling.rows, fence: ceiling.fence }),
    problems,
  }
}

/** The path of a file that a problem of the declaration names: relative to the folder, the name of the only file, or the whole path. */
function pathIn(place: string, isFolder: boolean, file: string): string {
  if (file === place || (!isFolder && file === basename(place))) return place
  return join(place, file)
}

/** From the working directory, with `/`, as programs that show annotations expect it. */
const fromHere = (path: string): string => relative('', path).replaceAll(sep, '/')

function countsOf({ workspaces }: Declared) {
  const sum = (listOf: (workspace: WorkspaceDeclaration) => readonly unknown[]) =>
    [...workspaces.values()].reduce((sofar, workspace) => sofar + listOf(workspace).length, 0)
  return { rules: sum(({ rules }) => rules), removed: sum(({ removed }) => removed), unmanaged: sum(({ unmanaged }) => unmanaged) }
}

function summaryOf({ loaded, declared, invalid }: Checked): string {
  if (loaded === undefined || declared === undefined) return `invalid: ${counted(together(invalid).problems.length, 'problem')}`
  const { removed, unmanaged } = countsOf(declared)
  const also = `${removed > 0 ? `, ${removed} removed` : ''}${unmanaged > 0 ? `, ${unmanaged} unmanaged` : ''}`
  const what = `${rulesText(declared)} for ${counted(declared.workspaces.size, 'workspace')} in ${counted(declared.files, 'file')}`
  const commit = declared.revision === undefined ? '' : `, ${revisionText(declared.revision)}`
  return `valid: ${what}${also} · declaration ${declared.hash.slice(0, 7)}${commit} · ${visible(loaded.file)}`
}

/** `5 mappings and 1 pattern`: what the rules stand for. The lists of one rule multiply. */
function rulesText({ workspaces }: Declared): string {
  const rules = [...workspaces.values()].flatMap((workspace) => workspace.rules)
  const patterns = rules.filter(({ groups }) => groups.kind === 'pattern').length
  const mappings = rules.length - patterns
  const parts = [mappings === 0 && patterns > 0 ? '' : counted(mappings, 'mapping'), patterns === 0 ? '' : counted(patterns, 'pattern')]
  return parts.filter((part) => part !== '').join(' and ')
}

/** The fence that a person asks about, and the most that its present files can give, and any files. */
type Ceiling = { readonly path: string; readonly rows: readonly CeilingRow[]; readonly fence: FenceBounds }

type Valid = { readonly loaded?: LoadedSettings; readonly declared?: Declared }

/**
 * Undefined without a question, or if the files are invalid.
 *
 * @throws {UsageError} if the settings have no such fence with limits
 */
async function askedCeiling(path: string | undefined, { loaded, declared }: Valid): Promise<Ceiling | undefined> {
  if (path === undefined || loaded === undefined || declared === undefined) return undefined
  const { concreteFences } = await import('../declaration/fenceTemplate.ts')
  const fences = concreteFences(loaded.settings.fences ?? {}, declared.names ?? [])
  const { ceilingOf, fenceBounds } = await import('../declaration/ceiling.ts')
  const fence = fences[path]
  if (fence !== undefined && fence !== 'everything')
    return { path, rows: ceilingOf(path, fence, declared.workspaces), fence: fenceBounds(fence) }
  if (isTemplate(path))
    throw new UsageError(`"${path}" stands for a fence for each team`, { cure: 'name the fence of one team, as teams/payments/**' })
  const limited = Object.entries(fences).flatMap(([name, limits]) => (limits === 'everything' ? [] : [name]))
  const cure = limited.length === 0 ? 'the settings have no fence with limits' : `name one of: ${limited.join(', ')}`
  const message = fence === 'everything' ? `the files of "${path}" may say everything` : `the settings have no fence "${path}"`
  throw new UsageError(message, { cure })
}

function ceilingText({ path, rows, fence: { bounds, expiresMs, may } }: Ceiling): string {
  const rowText = ({ targets, groups, roles }: Omit<CeilingRow, 'at'>) => `  ${targets.join(', ')}: ${groups} → ${roles.join(' or ')}`
  return [
    rows.length === 0 ? `The files of ${path} give no role.` : `The most that the present files of ${path} can give:`,
    ...rows.map((row) => `${rowText(row)}  ${row.at}`),
    `The most that any files of ${path} may give:`,
    ...bounds.map(rowText),
    ...Object.entries(expiresMs).map(([role, ms]) => `  ${role} ends at most ${durationText(ms)} after today`),
    ...(may.length === 0 ? [] : [`  also: ${may.join(', ')}`]),
  ]
    .map(visible)
    .join('\n')
}
