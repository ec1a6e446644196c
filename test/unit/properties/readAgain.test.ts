import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { keyOf } from '../../../src/core/mapping.ts'
import type { Rule, WorkspaceDeclaration } from '../../../src/core/rule.ts'
import { unsafeName } from '../../../src/core/safeName.ts'
import { acme } from '../core/smallWorld.ts'
import { load } from '../declaration/declare.ts'
import { plain, printRules, type Style } from '../declaration/printRules.ts'
import { anyDeclaration } from './anyDeclaration.ts'
import { holds } from './runs.ts'

const anyStyle: fc.Arbitrary<Style> = fc.record({
  oldWords: fc.boolean(),
  lists: fc.boolean(),
  from: fc.constantFrom('rule', 'workspace', 'file'),
  offset: fc.constantFrom(0, 0, 1, -11, 14),
})

/** 1000 ms become midnight of a day, other times become minutes around it. */
const dated = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : Date.UTC(2027, 0, 31) + (ms - 1_000) * 60_000)

/** A rule that a file can contain: dates of this millennium, and only words that have a meaning for its target. */
function writable(rule: Rule): Rule {
  const [startsMs, expiresMs] = [dated(rule.startsMs), dated(rule.expiresMs)]
  const isWorkspace = rule.target.kind === 'fixed' && rule.target.target.kind === 'workspace'
  const { startsMs: _, expiresMs: __, ...rest } = rule
  return {
    ...rest,
    ...(startsMs === undefined ? {} : { startsMs }),
    ...(expiresMs === undefined ? {} : { expiresMs }),
    unknownProjects: isWorkspace ? 'hold' : rule.unknownProjects,
  }
}

/** Without names that cannot be sent, and without two exact rules of one key or two equal patterns, which the loader or a list may merge. */
function written(declared: WorkspaceDeclaration): WorkspaceDeclaration {
  const known = new Set<string>()
  const rules = declared.rules.flatMap((rule) => {
    const isExact = rule.groups.kind === 'exact' && rule.target.kind === 'fixed'
    const key = isExact ? keyOf(acme, rule.target.target, rule.groups.name) : textOf(rule)
    if (known.has(key) || (isExact && unsafeName(rule.groups.name) !== undefined)) return []
    known.add(key)
    return [writable(rule)]
  })
  return { ...declared, rules }
}

/** The content of a declaration, without places and order. */
const content = ({ owns, rules, removed, unmanaged }: WorkspaceDeclaration) => ({
  owns: [...owns].toSorted(),
  ...Object.fromEntries(Object.entries({ rules, removed, unmanaged }).map(([list, entries]) => [list, entries.map(textOf).toSorted()])),
})
/** An entry without its place. */
const textOf = (entry: object): string => JSON.stringify(withoutSteps(plain({ ...entry, because: undefined })))
/** The size of a program is computed by the loader. */
const withoutSteps = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (name, one: unknown) => (name === 'steps' ? 0 : one)))

describe('declarations', () => {
  holds(
    'A declaration that is printed in any style and read again is the same declaration',
    400,
    fc.property(anyDeclaration, anyStyle, (any, style) => {
      const declared = written(any)
      const text = printRules(declared, style)
      const loaded = load({ 'a.yaml': text })
      if (!loaded.valid) throw new Error(`${loaded.text}\n${text}`)
      const again = loaded.declaration.get(acme)
      expect(again && content(again)).toEqual(content(declared))
    }),
  )
})
