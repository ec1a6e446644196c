import { unsafeName } from '../core/safeName.ts'
import type { z } from '../yaml/zod.ts'
import { groupName } from './nameFields.ts'
import { compileGlob, compileRegex } from './pattern.ts'

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
