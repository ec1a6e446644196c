import { expect, test } from 'vitest'
import { patternId } from '../../../src/core/matches.ts'
import { pack, unpacking } from '../../../src/declaration/transfer.ts'
import { load } from './declare.ts'

const names = (letter: string, length: number) => Array.from({ length }, (_, index) => `${letter}${index}`).join(', ')
const rules = Array.from({ length: 5_000 }, (_, index) => `      - { group: g${index}, role: guest, project: ENG, reason: because }\n`)
const waivers = Array.from(
  { length: 10 },
  (_, index) =>
    `      - { group: [${names('g', 30)}], project: [${names('P', 30)}], from: none, to: admin, until: 2026-01-0${(index % 9) + 1}, reason: because }\n`,
)
const text = `version: 1
owner: team
workspaces:
  acme:
    projectRoles:
${rules.join('')}      - { groupRegex: "a-(?<app>[a-z]+)", except: [a-b], role: guest, project: { capture: app, map: { x: ENG } } }
      - { groupGlob: "b-*", role: guest, projects: [ENG, OPS] }
    removed:
      - { group: old, project: ENG }
    unmanaged:
      - { groupGlob: "b-*" }
    waivers:
${waivers.join('')}  empty: {}
  other:
    workspaceRoles: []
    groupSync: { enabled: true }
`

test('a declaration that was sent in pieces is the same', () => {
  const loaded = load(
    { 'a.yaml': text },
    { workspaces: ['acme', 'empty', 'other'], waiverFiles: ['a.yaml'], dateMs: Date.parse('2026-01-02') },
  )
  if (!loaded.valid) throw new Error(loaded.text)
  const received = unpacking()
  const portions = [...pack(loaded.declaration)]
  expect(portions.length).toBeGreaterThan(2)
  for (const portion of portions) received.add(structuredClone(portion))
  const whole = received.whole()
  expect([...whole.keys()]).toEqual([...loaded.declaration.keys()])
  // Functions are compared by their results.
  const shown = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (_, one: unknown) => (one instanceof Map || one instanceof Set ? [...one] : one))) as unknown
  for (const [name, declared] of loaded.declaration) expect(shown(whole.get(name))).toEqual(shown(declared))

  const acme = [...whole.values()][0]
  expect(acme?.waivers).toHaveLength(10)
  const sizes = portions.map((pieces) =>
    pieces.reduce((sum, piece) => sum + (piece.waivers ?? []).flatMap(({ words }) => words.changes).length, 0),
  )
  expect(sizes.filter((changes) => changes > 0)).toEqual([2_700, 2_700, 2_700, 900])
  const [first, second] = acme?.rules ?? []
  expect(first?.role).toBe(second?.role)
  expect(first?.target).toBe(second?.target)
  const patterns = [...(acme?.rules ?? []), ...(acme?.unmanaged ?? [])].flatMap(({ groups }) =>
    groups.kind === 'pattern' ? groups.pattern : [],
  )
  expect(patterns.map(patternId)).toEqual(['regex a-(?<app>[a-z]+)', 'glob b-*', 'glob b-*', 'glob b-*'])
  expect(patterns[0]?.compile()('a-web')).toEqual({ app: 'web' })
  expect(patterns[3]?.compile()('b-1')).toEqual({})
})
