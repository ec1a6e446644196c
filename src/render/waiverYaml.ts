import { visible } from '../core/safeName.ts'
import type { DocumentChange } from '../documents/change.ts'
import type { Approvable } from './approvable.ts'
import { changeParts } from './change.ts'
import { changeFromDocument } from './documentParts.ts'
import { foldChanges } from './foldChanges.ts'
import { flowMap, yamlScalar } from './yamlText.ts'

type Words = Extract<Approvable, { readonly kind: 'words' }>

/** `untilMs`: epoch ms, by the date. It is rounded up to a whole minute. */
type WaiverOptions = { readonly untilMs: number; readonly reason: string }

/** A whole file of a declaration with a waiver for each of these changes, and for each of these limits. Comments say what they let pass. */
export function waiverYaml(entries: ReadonlyMap<string, readonly Words[]>, options: WaiverOptions): string {
  const workspaces = [...entries].flatMap(([workspace, all]) => [
    `  ${yamlScalar(workspace)}:`,
    '    waivers:',
    ...all.flatMap((words) => [
      ...comment(words),
      ...(words.limit === undefined ? singleEntries(words, options) : limitEntry(words, options)),
    ]),
  ])
  return ['version: 1', 'workspaces:', ...workspaces, ''].join('\n')
}

/** Whether words can say it: a role that is called "none" would mean that there is no mapping. */
export const isSayable = ({ changes }: Words): boolean =>
  changes.every((change) => change.action === 'settings' || !rolesOf(change).includes('none'))

const rolesOf = (change: Exclude<DocumentChange, { readonly action: 'settings' }>): readonly (string | null)[] => [
  ...('before' in change ? [change.before] : []),
  ...('role' in change ? [change.role] : []),
]

const indent = '      '
const shownMax = 20

function comment({ sentence, changes }: Words): readonly string[] {
  const lines = changes.slice(0, shownMax).map((change) => {
    const { target, who, before, role, fact } = changeParts(changeFromDocument(change))
    return [`${target}  ${who}`, before, role, fact === '' ? '' : ` ${fact}`].filter((part) => part !== undefined && part !== '').join(' ')
  })
  const more = changes.length > shownMax ? [`… and ${changes.length - shownMax} more`] : []
  return [visible(sentence), ...[...lines, ...more].map((line) => `  ${line}`)].map((line) => `${indent}# ${line}`)
}

const singleEntries = ({ changes, people }: Words, options: WaiverOptions): readonly string[] =>
  changes.map((change) => {
    const number = people === undefined ? [] : [['people', String(people)] as const]
    return `${indent}- ${flowMap([...changeWords(change), ...number, ...endWords(options)])}`
  })

const limitEntry = ({ changes, limit }: Words, options: WaiverOptions): readonly string[] => [
  `${indent}- guard: ${limit?.guard}`,
  `${indent}  count: ${limit?.count}`,
  `${indent}  changes:`,
  ...foldChanges(changes).map((folded) => `${indent}    - ${flowMap(folded)}`),
  ...endWords(options).map(([name, value]) => `${indent}  ${name}: ${value}`),
]

const endWords = ({ untilMs, reason }: WaiverOptions): readonly (readonly [string, string])[] => [
  ['until', minuteText(untilMs)],
  ['reason', yamlScalar(reason)],
]

const minuteMs = 60_000
/** `2026-11-23T12:00Z` */
const minuteText = (ms: number): string => `${new Date(Math.ceil(ms / minuteMs) * minuteMs).toISOString().slice(0, 16)}Z`

const changeWords = (change: DocumentChange): readonly (readonly [string, string])[] => foldChanges([change])[0] ?? []
