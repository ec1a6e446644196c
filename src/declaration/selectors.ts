import { controlIn, groupNameCharactersMax, unsafeLetters, unsafeName } from '../core/safeName.ts'
import { atMost, z } from '../yaml/zod.ts'
import { groupName, project, roleSlug, sendableName } from './nameFields.ts'
import { type CompiledPattern, charactersMax, compileGlob, compileRegex, type PatternFault } from './pattern.ts'

/** A text that a pattern captures is a part of a group name. */
const captured = atMost(groupNameCharactersMax, z.string())
const capture = atMost(groupNameCharactersMax, z.string().min(1)).describe('The name of a group in groupRegex: app for (?<app>…)')

/** @param unusable why no name that is meant can contain the text of a pattern */
const patternField = (compile: (source: string) => CompiledPattern | PatternFault, unusable: (source: string) => string | undefined) =>
  z
    .string()
    .min(1)
    .superRefine((source, context) => {
      const control = controlIn(source)
      if (control !== undefined) {
        const cure =
          control === 'U+000A'
            ? 'write the pattern in one line: a text below | has a line feed at its end'
            : 'remove it: no mapping can be written for a name with this character'
        return context.addIssue({
          code: 'custom',
          message: `the pattern contains ${control}, which cannot be seen`,
          params: { cure, unseen: true },
        })
      }
      const why = unusable(source)
      if (why !== undefined) {
        const cure = 'type it anew: copied text may have such characters; if the names in the directory have them, rename the groups there'
        return context.addIssue({
          code: 'custom',
          message: `no mapping can be written for a name that this pattern means: ${why}`,
          params: { cure, unseen: true },
        })
      }
      const made = compile(source)
      if ('fault' in made) context.addIssue({ code: 'custom', message: made.fault, params: { cure: made.cure } })
    })
    .meta({ maxLength: charactersMax })

/** A text, or a list of texts. */
export const oneOrMore = <T extends z.ZodType>(text: T) => z.union([text, z.array(text).min(1)])

const exactKeys = (name: typeof groupName) => ({
  group: oneOrMore(name)
    .optional()
    .describe('A group, or a list of groups, exactly as the identity provider sends them. Letter case counts'),
  groups: z.array(name).min(1).optional().describe('Old word: write group with a list instead').meta({ deprecated: true }),
})

/** The keys that select groups of existing mappings by exact names. */
export const exactGroupKeys = exactKeys(groupName)

/** The keys that select groups by exact names, or by a pattern over the names that directories know. */
const groupKeysOf = (name: typeof groupName, unusable: (source: string) => string | undefined) => ({
  ...exactKeys(name),
  groupGlob: patternField(compileGlob, unusable)
    .optional()
    .describe(
      'Groups whose whole name matches. * stands for any characters, also for the / in the paths of Keycloak. ** matches the same as *, and shows a reader that the groups below are meant. ? stands for one character, everything else for itself',
    ),
  groupRegex: patternField(compileRegex, unusable)
    .optional()
    .describe('Groups whose whole name matches an RE2 expression. "capture" can use its named groups, such as (?<app>[a-z]+)'),
  except: z
    .array(groupName.meta({ ...groupName.meta(), pattern: '^[^*?]*$' }))
    .optional()
    .describe('Exact names that the pattern leaves out. The pattern must match each of them'),
})

/** The keys that select groups of existing mappings. */
export const groupKeys = groupKeysOf(groupName, () => undefined)
/** The keys that select groups of mappings to write. */
export const ruleGroupKeys = groupKeysOf(sendableName, unsafeLetters)

/** The keys that select projects by exact identifiers. */
export const exactProjectKeys = {
  project: oneOrMore(project).optional().describe('A project by its identifier, such as ENG, or a list of projects'),
  projects: z.array(project).min(1).optional().describe('Old word: write project with a list instead').meta({ deprecated: true }),
  allProjects: z.literal(true).optional().describe('Every project of the workspace, including later ones'),
}

export const projectKeys = {
  ...exactProjectKeys,
  project: z
    .union([
      project,
      z.array(project).min(1),
      z.strictObject({
        capture,
        map: z
          .record(captured, oneOrMore(project))
          .optional()
          .describe('Captured value → project, or a list of projects. For any other value the project is the value in upper case'),
      }),
    ])
    .optional()
    .describe('A project by its identifier, such as ENG, a list of projects, or { capture, map } from groupRegex'),
}

export const roleField = z
  .union([
    roleSlug,
    z.strictObject({
      capture,
      map: z.record(captured, roleSlug).describe('Captured value → role. Any other value gets no role'),
    }),
  ])
  .describe('The role to give: a slug such as guest, member or admin, or { capture, map } from groupRegex')

export const workspaceKey = { workspace: z.literal(true).optional().describe("The workspace's own roles, as opposed to a project's") }

/** The keys and values of an entry, which may be wrong. */
type Written = Readonly<Record<string, unknown>>
type Context = z.core.$RefinementCtx
type Fault = { readonly message: string; readonly cure: string; readonly unseen?: true }

const exactNames = 'write each name exactly as the directory has it'

/** Each name in `except` of a rule must be one that the pattern matches, and that a mapping could have. Otherwise the rule gives more than it seems. */
export const exceptionsOfRule = (written: Written, context: Context): void =>
  checkExceptions(written, context, (name) => {
    const why = unsafeName(name)
    return why === undefined ? undefined : { message: `no mapping can be written for this name: ${why}`, cure: exactNames, unseen: true }
  })

/** The same for an entry of `unmanaged`. An existing mapping may have a name for which none can be written. */
export const exceptionsOfUnmanaged = (written: Written, context: Context): void => checkExceptions(written, context, () => undefined)

function checkExceptions(written: Written, context: Context, unusable: (name: string) => Fault | undefined): void {
  const { except, groupGlob, groupRegex } = written
  if (!Array.isArray(except)) return
  const made =
    typeof groupRegex === 'string' ? compileRegex(groupRegex) : typeof groupGlob === 'string' ? compileGlob(groupGlob) : undefined
  if (made === undefined) return
  for (const [index, name] of (except as readonly unknown[]).entries()) {
    if (typeof name !== 'string' || !groupName.safeParse(name).success) continue
    const fault = withWildcard(name) ?? unusable(name) ?? ('matches' in made && made.matches(name) === undefined ? unmatched : undefined)
    if (fault === undefined) continue
    const { message, ...params } = fault
    context.addIssue({ code: 'custom', path: ['except', index], message, params })
  }
}

const withWildcard = (name: string): Fault | undefined =>
  /[*?]/.test(name) ? { message: '"except" takes exact names, without * and ?', cure: exactNames } : undefined

const unmatched: Fault = {
  message: 'the pattern does not match this name, so "except" leaves nothing out',
  cure: `${exactNames}; letter case counts. Remove a name that is not meant`,
  unseen: true,
}
