import { z } from '../yaml/zod.ts'
import { spanOf } from './moment.ts'
import { compileRegex } from './pattern.ts'

/** The keys and values of an entry, which may be wrong. */
type Written = Readonly<Record<string, unknown>>
type Context = z.core.$RefinementCtx

/** Old words are read like the words that replaced them. No message recommends them. */
export const oldWords = ['groups', 'projects'] as const
const groupChoices = ['group', 'groups', 'groupGlob', 'groupRegex']
export const exactGroupChoices = ['group', 'groups']
export const projectChoices = ['project', 'projects', 'allProjects']
export const targetChoices = [...projectChoices, 'workspace']

/** Adds constraints that are checked even if a field of the map is wrong, so that all problems come at once. */
export const constrained = <T extends z.ZodType>(schema: T, ...constraints: ((written: Written, context: Context) => void)[]): T =>
  schema.superRefine(
    (written, context) => {
      for (const constraint of constraints) constraint(written as Written, context)
    },
    { when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value) },
  )

/** The same constraint for editors: `oneOf` of JSON Schema over required keys. */
export const exactlyOneOf = (...sets: (readonly string[])[]) => ({
  allOf: sets.map((keys) => ({ oneOf: keys.map((key) => ({ required: [key] })) })),
})

export const oneGroupChoice = (written: Written, context: Context) => oneOf(groupChoices, 'which groups it is about', written, context)
export const oneExactGroupChoice = (written: Written, context: Context) =>
  oneOf(exactGroupChoices, 'which groups it is about', written, context)
export const oneProjectChoice = (written: Written, context: Context) =>
  oneOf(projectChoices, 'which projects it is about', written, context)
export const oneTargetChoice = (written: Written, context: Context) => oneOf(targetChoices, 'where the mapping is', written, context)
export const atMostOneTarget = (written: Written, context: Context) => atMostOne(targetChoices, written, context)
export const groupSelectors = exactlyOneOf(groupChoices)

/** Refuses keys that have no meaning beside, or without, certain other keys. */
export function companions(written: Written, context: Context): void {
  const pattern = ['groupGlob', 'groupRegex'].find((key) => key in written)
  const refuse = (key: string, message: string, cure: string) => {
    if (key in written) context.addIssue({ code: 'custom', path: [key], message, params: { cure, key: true } })
  }
  if (pattern === undefined) refuse('except', '"except" needs a pattern', 'it lists names that groupGlob or groupRegex must not match')
  else {
    refuse(
      'allowProtected',
      `"allowProtected" cannot stand beside "${pattern}"`,
      'only a rule with exact names can allow a protected role: use group',
    )
    refuse('unknownGroups', `"unknownGroups" cannot stand beside "${pattern}"`, 'a pattern only matches groups that a directory knows')
  }
  if ([written.group ?? []].flat().length !== 1) {
    refuse('previously', '"previously" needs one "group"', 'it is the old name of that one group')
    refuse('label', '"label" needs one "group"', 'it is what the directory calls that one group')
  }
  const [group, ...others] = [written.group ?? []].flat()
  if (group !== undefined && others.length === 0 && written.previously === group)
    refuse('previously', '"previously" is the group itself', 'write the former name of the group, or remove "previously"')
  if (pattern === undefined && 'label' in written && written.unknownGroups === 'send')
    refuse(
      'unknownGroups',
      '"unknownGroups: send" has no effect beside "label"',
      'only a directory that knows the group can confirm its label, so an unknown group is held: remove one of the two',
    )
}

/** A `capture` must name a group of the rule's `groupRegex`. */
export function definedCaptures(written: Written, context: Context): void {
  const made = typeof written.groupRegex === 'string' ? compileRegex(written.groupRegex) : undefined
  if (made !== undefined && 'fault' in made) return
  for (const key of ['project', 'role']) {
    const name = (written[key] as { capture?: unknown } | undefined | null)?.capture
    if (typeof name !== 'string' || made?.captures.has(name)) continue
    const message = made === undefined ? 'a capture needs groupRegex' : `the pattern has no capture named "${name}"`
    const cure =
      made === undefined || made.captures.size === 0
        ? `name a part of groupRegex: (?<${name}>[a-z]+)`
        : `it captures: ${[...made.captures].join(', ')}`
    context.addIssue({ code: 'custom', path: [key, 'capture'], message, params: { cure } })
  }
}

const presentWords = (choices: readonly string[]): string => choices.filter((word) => !oldWords.some((old) => old === word)).join(', ')

/** A rule must start before it ends. */
export function startsBeforeExpires({ starts, expires }: Written, context: Context): void {
  const [from, to] = [starts, expires].map((text) => (typeof text === 'string' ? spanOf(text) : undefined))
  if (from === undefined || to === undefined || from.fromMs < to.toMs) return
  const message = '"starts" is not before the end of the rule'
  const cure = `"expires" is ${String(expires)}: write an earlier "starts" or a later "expires"`
  context.addIssue({ code: 'custom', path: ['starts'], message, params: { cure } })
}

/** `skip` is for a naming scheme. A project that a rule names itself is meant to exist. */
export function skipsCaptured({ unknownProjects, project }: Written, context: Context): void {
  const isCaptured = typeof project === 'object' && project !== null && !Array.isArray(project)
  if (unknownProjects !== 'skip' || isCaptured) return
  const message = '"skip" needs a captured project'
  const cure = 'a project that the rule names itself is held or sent: write hold or send, or capture the project from groupRegex'
  context.addIssue({ code: 'custom', path: ['unknownProjects'], message, params: { cure } })
}

function oneOf(choices: readonly string[], what: string, written: Written, context: Context): void {
  if (choices.some((key) => key in written)) return atMostOne(choices, written, context)
  context.addIssue({
    code: 'custom',
    path: [],
    message: `this does not say ${what}`,
    params: { cure: `add one of: ${presentWords(choices)}` },
  })
}

function atMostOne(choices: readonly string[], written: Written, context: Context): void {
  const [first, ...others] = Object.keys(written).filter((key) => choices.includes(key))
  for (const key of others) {
    context.addIssue({
      code: 'custom',
      path: [key],
      message: `"${key}" cannot stand beside "${first}"`,
      params: { cure: `exactly one of: ${presentWords(choices)}`, key: true },
    })
  }
}
