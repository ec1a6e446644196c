import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { listsInScope } from '../../../src/core/existing.ts'
import type { Hold } from '../../../src/core/hold.ts'
import type { Target } from '../../../src/core/mapping.ts'
import { type GroupSelector, lineText, positionText, type WorkspaceDeclaration } from '../../../src/core/rule.ts'
import type { FenceText } from '../../../src/declaration/fence.ts'
import { explainHold } from '../../../src/render/hold.ts'
import { acme, complete, planIn, seenOf } from '../core/smallWorld.ts'
import { load } from '../declaration/declare.ts'
import { holds } from './runs.ts'

/** Names that are easily taken for one another, also some for which no mapping can be written. */
const names = [
  'devs',
  'Devs',
  'DEVS',
  'dev',
  'dev-s',
  'dеvs',
  'dévs',
  'de\u0301vs',
  'devs\u200b',
  'devs ',
  'de',
  'ops',
  'Ops',
  `d${'e'.repeat(254)}vs`,
]
const usable = names.filter(
  (name) => name.normalize('NFC') === name && name.trim() === name && !name.includes('\u200b') && name.length < 200,
)
const fenced = (owner: string, groups: string[]): FenceText => ({
  owner,
  workspace: 'acme',
  projectRoles: { projects: ['ENG', 'ENGX', 'OPS'], allProjects: false, roles: ['guest', 'member'], groups },
  may: ['removed', 'unmanaged', 'previously'],
  demand: { reason: false, expires: {} },
})
const fences = { 'a/**': fenced('team-a', ['*']), 'b/**': fenced('team-b', ['dev*', 'Dev*', 'Ops', 'd?']), 'c/**': 'everything' as const }

const anyName = fc.constantFrom(...usable)
const anyProject = fc.constantFrom('ENG', 'OPS', 'ENGG', 'ENGX')
const anyEntry = fc.record({
  list: fc.constantFrom('projectRoles', 'projectRoles', 'projectRoles', 'removed', 'unmanaged'),
  group: fc.constantFrom('devs', 'Devs', 'devs', 'Devs', 'devs', 'Devs', ...usable),
  project: anyProject,
  role: fc.constantFrom('guest', 'member'),
  previously: fc.option(anyName, { nil: undefined }),
  isGlob: fc.constantFrom(false, false, false, true),
})
type Entry = typeof anyEntry extends fc.Arbitrary<infer T> ? T : never
const anyFiles = fc.record({
  a: fc.array(anyEntry, { maxLength: 2 }),
  b: fc.array(anyEntry, { maxLength: 2 }),
  c: fc.array(anyEntry, { maxLength: 2 }),
})
type Files = typeof anyFiles extends fc.Arbitrary<infer T> ? T : never

const lineOf = ({ list, group, project, role, previously, isGlob }: Entry): string => {
  const which = isGlob && list !== 'removed' ? `groupGlob: ${JSON.stringify(`${group}*`)}` : `group: ${JSON.stringify(group)}`
  const more =
    list === 'projectRoles'
      ? `, role: ${role}${previously === undefined || isGlob ? '' : `, previously: ${JSON.stringify(previously)}`}`
      : ''
  return `      - { ${which}, project: ${project}${more} }`
}

/** Each list once in a file, each entry in one line. */
const textOf = (entries: readonly Entry[]): string => {
  const lists = Map.groupBy(entries, ({ list }) => list)
  return ['version: 1', 'workspaces:', '  acme:', ...[...lists].flatMap(([list, of]) => [`    ${list}:`, ...of.map(lineOf)])].join('\n')
}
const textsOf = (files: Files) =>
  Object.fromEntries(
    Object.entries(files).flatMap(([name, entries]) => (entries.length === 0 ? [] : [[`${name}/a.yaml`, textOf(entries)]])),
  )

function loaded(texts: Readonly<Record<string, string>>): WorkspaceDeclaration | undefined {
  const found = load(texts, { fences, dateMs: 0 })
  return found.valid ? [...found.declaration.values()][0] : undefined
}

function holdsOf(declared: WorkspaceDeclaration, directory: readonly string[]): readonly Hold[] {
  const seen = seenOf({ directories: { corp: directory }, projects: ['ENG', 'OPS', 'ENGX'] })
  const lists = new Map([...listsInScope(declared)].map((list) => [list, complete([])] as const))
  return planIn({ ...seen, declared: { ...declared, workspace: acme }, existing: { lists } }).holds
}

/** Each pattern of these files is a prefix and `*`, except `d?` in a fence. A pattern names only groups inside the fence of its file. */
const isUsed = (groups: GroupSelector, name: string): boolean => {
  if (groups.kind === 'exact') return groups.name === name
  const { source } = groups.pattern
  const isNamed = source === 'd?' ? /^d.$/u.test(name) : name.startsWith(source.slice(0, -1))
  return isNamed && (groups.within?.some((one) => isUsed(one, name)) ?? true)
}

type Named = { readonly near: string; readonly instead: string; readonly hold: Hold }
const namedIn = (all: readonly Hold[]): readonly Named[] =>
  all.flatMap((hold) => {
    const { reason } = hold
    if (reason.kind === 'groupUnknown' && reason.near !== undefined) return [{ near: reason.near, instead: hold.group ?? '', hold }]
    return reason.kind === 'projectUnknown' && reason.near !== undefined ? [{ near: reason.near, instead: reason.project, hold }] : []
  })

const anyWorld = fc.record({ files: anyFiles, directory: fc.oneof(fc.constant(['Devs']), fc.subarray(names, { maxLength: 3 })) })

describe('the name that a hold offers', () => {
  holds(
    'A file that has the offered name in the place of the unknown one is valid',
    300,
    fc.property(anyWorld, ({ files, directory }) => {
      const texts = textsOf(files)
      const declared = loaded(texts)
      if (declared === undefined) return
      for (const { near, instead, hold } of namedIn(holdsOf(declared, directory))) {
        const { file = '', line = 0 } = hold.because?.at ?? {}
        const edited = (texts[file] ?? '').split('\n')
        edited[line - 1] = (edited[line - 1] ?? '').replace(/(\{ group: )"[^"]*"|(project: )\w+/g, (all, group, project) => {
          if (hold.reason.kind === 'groupUnknown' && group !== undefined) return `${group}${JSON.stringify(near)}`
          return hold.reason.kind === 'projectUnknown' && project !== undefined ? `${project}${near}` : all
        })
        if (edited.join('\n') === texts[file]) continue
        expect(loaded({ ...texts, [file]: edited.join('\n') }), `${instead} → ${near}: ${edited[line - 1]}`).toBeDefined()
      }
    }),
  )

  holds(
    'A group that a rule of another owner has is named together with such a rule',
    300,
    fc.property(anyWorld, ({ files, directory }) => {
      const declared = loaded(textsOf(files))
      if (declared === undefined) return
      for (const { near, hold } of namedIn(holdsOf(declared, directory))) {
        const mine = hold.because
        const { rules, removed, unmanaged } = declared
        const isNear = (target: Target | undefined) =>
          hold.reason.kind === 'projectUnknown' ? target?.kind === 'project' && target.project === near : undefined
        const uses = [
          ...rules.filter(
            ({ groups, target, previously }) =>
              isNear(target.kind === 'fixed' ? target.target : undefined) ?? (previously === near || isUsed(groups, near)),
          ),
          ...removed.filter(({ group, target }) => isNear(target) ?? group === near),
          ...unmanaged.filter(({ groups }) => isNear(undefined) ?? isUsed(groups, near)),
        ]
        const others = uses.filter(
          ({ because }) => because.owner !== mine?.owner && positionText(because.at) !== (mine && positionText(mine.at)),
        )
        if (others.length === 0) continue
        const { cure } = explainHold(hold, { doors: 'any' })
        expect(
          others.some(({ because }) => cure.includes(lineText(because.at))),
          cure,
        ).toBe(true)
      }
    }),
  )
})
