import { isGlob } from '../core/fencedProjects.ts'
import { projectCharactersMax } from '../core/mapping.ts'
import { groupNameCharactersMax, noteCharactersMax } from '../core/safeName.ts'
import { isTemplate, namesTeam, withTeam } from '../core/team.ts'
import { fenceWords } from '../declaration/fenceWords.ts'
import { project } from '../declaration/nameFields.ts'
import { atMost, z } from '../yaml/zod.ts'
import { oneOf } from './patterns/text.ts'
import { boundedText, duration, name, plainText, roleName, roleNames } from './scalars.ts'

const segment = String.raw`[^./\\\[\]{}()!\x00-\x1f\x7f][^/\\\[\]{}()!\x00-\x1f\x7f]*`
const pathPattern = `^${segment}(?:/${segment})*$`

const pathCure =
  'write names of files and folders, with / between them: * stands for any characters of one name, ** for any folders, ? for one character'

/** Names of files and folders without wildcards, `{team}` or `{team}.yaml`, and what follows. */
const plainSegment = segment.replaceAll('[^', '[^*?')
const templatePath = String.raw`^(?:${plainSegment}/)*\{team\}(?:\.ya?ml|(?:/${segment})+)$`

/** The names of files below `declaration`. */
const filePath = boundedText
  .refine((text) => new RegExp(pathPattern, 'u').test(text), {
    error: 'this is not a path below the declaration',
    params: { cure: pathCure },
  })
  .meta({ pattern: pathPattern })

/** The same for a fence, or a path with the name of a team. */
const fencePath = boundedText
  .refine((text) => isTemplate(text) || new RegExp(pathPattern, 'u').test(text), {
    error: 'this is not a path below the declaration',
    params: { cure: pathCure },
  })
  .refine((text) => !isTemplate(text) || new RegExp(templatePath, 'u').test(text), {
    error: '{team} is not at a place of its own in this path',
    params: {
      cure: 'write {team} once, as the name of a folder or as {team}.yaml, with no wildcards before it: teams/{team}/**, teams/{team}.yaml',
    },
  })
  .meta({ pattern: oneOf([pathPattern, templatePath]) })

const groupPattern = String.raw`^(?:[^*?]*|(?:[^\[\]{}]|\{team\}|\{TEAM\})*)$`
const groups = z
  .array(
    z
      .string()
      .min(1)
      .max(groupNameCharactersMax)
      .refine((text) => new RegExp(groupPattern, 'u').test(text), {
        error: 'a glob can only have * and ?, not brackets and braces',
        params: { cure: 'write several globs' },
      })
      .meta({ pattern: groupPattern }),
  )
  .min(1)
  .describe('The groups: exact names, and globs with `*` and `?` over whole names.')
const roles = roleNames.min(1).describe('The roles that may be given there.')

/** The identifier of a project, or a glob. */
const fencedProject = boundedText
  .superRefine((word, context) => {
    if (isGlob(word) && /^[^\s/]+$/u.test(word)) return
    const checked = project.safeParse(namesTeam(word) ? withTeam(word, 't') : word)
    for (const issue of checked.error?.issues ?? [])
      context.addIssue({ code: 'custom', message: issue.message, ...('params' in issue ? { params: issue.params } : {}) })
  })
  .meta({ pattern: String.raw`^(?:[^\s/]{1,${projectCharactersMax}}|[^\s/]*(?:[*?]|\{team\}|\{TEAM\})[^\s/]*)$` })

const fence = z.strictObject({
  owner: atMost(noteCharactersMax, plainText).describe('The owner of these files. A file cannot say another one.'),
  workspace: name.describe('The workspace, by its name in `workspaces`.'),
  workspaceRoles: z.strictObject({ groups, roles }).optional().describe("Absent: no roles in the workspace's own list."),
  projectRoles: z
    .strictObject({
      projects: z
        .array(fencedProject)
        .default([])
        .describe('The projects: identifiers, and globs with `*` and `?` over whole identifiers.'),
      allProjects: z.boolean().default(false).describe('Whether a rule may say `allProjects`.'),
      groups,
      roles,
    })
    .optional()
    .describe('Absent: no roles in projects.'),
  may: z
    .array(z.enum(fenceWords))
    .refine((words) => new Set(words).size === words.length, { error: 'a word is here twice', params: { cure: 'write each word once' } })
    .meta({ uniqueItems: true })
    .default([])
    .describe('The words beyond plain rules that these files may use.'),
  demand: z
    .strictObject({
      reason: z.boolean().default(false).describe('Whether each rule must have a `reason`.'),
      expires: z
        .record(roleName, duration('1h', '3650d'))
        .default({})
        .describe('Role → how many days after today a rule that gives it may end, as `90d`. Each such rule must have `expires`.'),
    })
    .prefault({})
    .describe('What each rule of these files must have.'),
})

const fenceMap = z.record(fencePath, z.union([fence, z.literal('everything')]))

export const fences = fenceMap
  .optional()
  .describe(
    'Which files of the declaration may say what, by their paths below `declaration`: see docs/fences.md. With fences, each file must match exactly one. `everything`: no limits. A path with `{team}` stands for one fence for each team.',
  )

export const fencesFile = plainText
  .optional()
  .describe('A file with further `fences`, for several settings to share: a map with `version: 1` and `fences`.')

/** The file that `fencesFile` names. */
export const fencesFileSchema = z
  .strictObject({ version: z.literal(1), fences: fenceMap })
  .describe('Fences that several settings share: a map with version and fences.')
export type SharedFences = z.output<typeof fencesFileSchema>

export const waivers = z
  .strictObject({
    files: z
      .array(filePath)
      .default([])
      .describe(
        'The files of the declaration that may have `waivers`, by their paths below `declaration`. Their reviewers can let changes pass the guards. A file inside a fence needs `may: [waivers]` instead.',
      ),
  })
  .prefault({})
  .describe('Who may let changes pass the guards in words: see docs/guards.md.')
