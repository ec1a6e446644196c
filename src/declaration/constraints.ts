import { z } from '../yaml/zod.ts'
import { compileRegex } from './pattern.ts'

/** The keys and values of an entry, which may be wrong. */
type Written = Readonly<Record<string, unknown>>
type Context = z.core.$RefinementCtx

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
      'only a rule with exact names can allow a protected role: use group or groups',
    )
    refuse('unknownGroups', `"unknownGroups" cannot stand beside "${pattern}"`, 'a pattern only matches groups that a directory knows')
  }
  if (!('group' in written)) refuse('previously', '"previously" needs "group"', 'it is the old name of that one group')
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

function oneOf(choices: readonly string[], what: string, written: Written, context: Context): void {
  if (choices.some((key) => key in written)) return atMostOne(choices, written, context)
  context.addIssue({
    code: 'custom',
    path: [],
    message: `this does not say ${what}`,
    params: { cure: `add one of: ${choices.join(', ')}` },
  })
}

function atMostOne(choices: readonly string[], written: Written, context: Context): void {
  const [first, ...others] = Object.keys(written).filter((key) => choices.includes(key))
  for (const key of others) {
    context.addIssue({
      code: 'custom',
      path: [key],
      message: `"${key}" cannot stand beside "${first}"`,
      params: { cure: `exactly one of: ${choices.join(', ')}`, key: true },
    })
  }
}
