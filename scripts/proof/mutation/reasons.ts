/**
 * Why a mutant that no test notices is left alone: mostly since it makes no difference that anybody could see. By file; `code` is the line,
 * `mutants` are as the report names them. `npm run mutation` fails where one is missing, or no longer needed.
 */
export type Reason = { readonly code: string; readonly mutants: readonly string[]; readonly reason: string }

export const reasons: Readonly<Record<string, readonly Reason[]>> = {}
