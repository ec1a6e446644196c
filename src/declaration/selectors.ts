import { z } from '../yaml/zod.ts'
import { type CompiledPattern, compileGlob, compileRegex, type PatternFault } from './pattern.ts'

/** The service's limit for `idp_group_name`, stated for its API v2. */
const groupCharactersMax = 255
/** The service's limit for a project's identifier. */
const projectCharactersMax = 12

const count = (text: unknown): number => (typeof text === 'string' ? Array.from(text).length : 0)

const groupName = z
  .string()
  .refine((name) => name.length > 0, { error: 'a group name cannot be empty' })
  .refine((name) => count(name) <= groupCharactersMax, {
    error: ({ input }) => `the group name has ${count(input)} characters`,
    params: { cure: `the service takes at most ${groupCharactersMax}` },
  })
  .meta({ minLength: 1, maxLength: groupCharactersMax })

const project = z
  .string()
  .refine((name) => /^[^\s/]+$/u.test(name), {
    error: 'a project is named by its identifier, without blanks and slashes',
    params: { cure: 'as in the keys of its work items: ENG for ENG-12' },
  })
  .refine((name) => count(name) <= projectCharactersMax, {
    error: ({ input }) => `the project identifier has ${count(input)} characters`,
    params: { cure: `the service takes at most ${projectCharactersMax}: the identifier (ENG), not the project's name` },
  })
  .meta({ pattern: String.raw`^[^\s/]+$`, maxLength: projectCharactersMax })

export const roleSlug = z
  .string()
  .refine((slug) => /^\S(?:.*\S)?$/u.test(slug), {
    error: 'a role is a slug without blanks around it',
    params: { cure: 'such as guest, member, admin' },
  })
  .meta({ pattern: String.raw`^\S(.*\S)?$` })

const capture = z.string().min(1).describe('The name of a group in groupRegex: app for (?<app>…)')

const patternField = (compile: (source: string) => CompiledPattern | PatternFault) =>
  z
    .string()
    .min(1)
    .superRefine((source, context) => {
      const made = compile(source)
      if ('fault' in made) context.addIssue({ code: 'custom', message: made.fault, params: { cure: made.cure } })
    })

/** The keys that select groups by exact names. */
export const exactGroupKeys = {
  group: groupName.optional().describe('One group, exactly as the identity provider sends it. Letter case counts'),
  groups: z.array(groupName).min(1).optional().describe('Several groups by their exact names'),
}

/** The keys that select groups by exact names, or by a pattern over the names that directories know. */
export const groupKeys = {
  ...exactGroupKeys,
  groupGlob: patternField(compileGlob)
    .optional()
    .describe(
      'Groups whose whole name matches. * stands for any characters, also for the / in the paths of Keycloak; ** says that the groups below are meant. ? stands for one character, everything else for itself',
    ),
  groupRegex: patternField(compileRegex)
    .optional()
    .describe('Groups whose whole name matches an RE2 expression. "capture" can use its named groups, such as (?<app>[a-z]+)'),
  except: z.array(groupName).optional().describe('Exact names that the pattern leaves out'),
}

/** The keys that select projects by exact identifiers. */
export const exactProjectKeys = {
  project: project.optional().describe('One project by its identifier, such as ENG'),
  projects: z.array(project).min(1).optional().describe('Several projects by their identifiers'),
  allProjects: z.literal(true).optional().describe('Every project of the workspace, including later ones'),
}

export const projectKeys = {
  ...exactProjectKeys,
  project: z
    .union([
      project,
      z.strictObject({
        capture,
        map: z
          .record(z.string(), project)
          .optional()
          .describe('Captured value → project. For any other value the project is the value in upper case'),
      }),
    ])
    .optional()
    .describe('One project by its identifier, such as ENG, or { capture, map } from groupRegex'),
}

export const roleField = z
  .union([
    roleSlug,
    z.strictObject({
      capture,
      map: z.record(z.string(), roleSlug).describe('Captured value → role. Any other value gets no role'),
    }),
  ])
  .describe('The role to give: a slug such as guest, member or admin, or { capture, map } from groupRegex')

export const workspaceKey = { workspace: z.literal(true).optional().describe("The workspace's own roles, as opposed to a project's") }
