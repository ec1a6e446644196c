import { projectCharactersMax } from '../core/mapping.ts'
import { groupNameCharactersMax, noteCharactersMax } from '../core/safeName.ts'
import { fenceWords } from '../declaration/fenceWords.ts'
import { project } from '../declaration/nameFields.ts'
import { atMost, z } from '../yaml/zod.ts'
import { boundedText, duration, name, plainText, roleName, roleNames } from './scalars.ts'

const segment = String.raw`[^./\\\[\]{}()!\x00-\x1f\x7f][^/\\\[\]{}()!\x00-\x1f\x7f]*`
const pathPattern = `^${segment}(?:/${segment})*$`

/** The names of files below `declaration`. */
const filePath = boundedText
  .refine((text) => new RegExp(pathPattern, 'u').test(text), {
    error: 'this is not a path below the declaration',
    params: {
      cure: 'write names of files and folders, with / between them: * stands for any characters of one name, ** for any folders, ? for one character',
    },
  })
  .meta({ pattern: pathPattern })

const groupPattern = String.raw`^(?:[^*?]*|[^\[\]{}]*)$`
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

/** A rule names a project by its whole identifier, so a glob would be a project that no rule can name. */
const fencedProject = project
  .refine((text) => !/[*?]/.test(text), {
    error: 'a project is named by its identifier: * and ? stand for no others here',
    params: { cure: 'list the identifiers of the projects, as in [ENG, OPS]' },
  })
  .meta({ pattern: String.raw`^[^\s/*?]+$`, maxLength: projectCharactersMax })

const fence = z.strictObject({
  owner: atMost(noteCharactersMax, plainText).describe('The owner of these files. A file cannot say another one.'),
  workspace: name.describe('The workspace, by its name in `workspaces`.'),
  workspaceRoles: z.strictObject({ groups, roles }).optional().describe("Absent: no roles in the workspace's own list."),
  projectRoles: z
    .strictObject({
      projects: z.array(fencedProject).default([]).describe('The projects, by their identifiers.'),
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

export const fences = z
  .record(filePath, z.union([fence, z.literal('everything')]))
  .optional()
  .describe(
    'Which files of the declaration may say what, by their paths below `declaration`: see docs/fences.md. With fences, each file must match exactly one. `everything`: no limits.',
  )

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
