import type { GroupName, WorkspaceName } from '../core/mapping.ts'
import { patternId } from '../core/matches.ts'
import { defined } from '../core/optionalFields.ts'
import type {
  DeclaredWaiver,
  FencedKeys,
  FrozenFile,
  FrozenNames,
  GroupSelector,
  Pattern,
  Removal,
  Rule,
  Unmanaged,
  WorkspaceDeclaration,
} from '../core/rule.ts'
import { sharing } from './compile.ts'
import type { DeclarationFiles } from './files.ts'
import { openPattern } from './pattern.ts'

/** An entry without its functions, because functions cannot be sent to another thread. */
type Packed<T extends { readonly groups: GroupSelector }> = Omit<T, 'groups'> & { readonly groups: PackedSelector }
type PackedSelector =
  | Extract<GroupSelector, { kind: 'exact' }>
  | {
      readonly kind: 'pattern'
      readonly pattern: Omit<Pattern, 'compile'>
      readonly except: ReadonlySet<GroupName>
      readonly without?: readonly PackedSelector[]
      readonly within?: readonly PackedSelector[]
      readonly fence?: string
    }
/** The same for what has several selectors. */
type PackedAll<T extends { readonly groups: readonly GroupSelector[] }> = Omit<T, 'groups'> & { readonly groups: readonly PackedSelector[] }
type PackedFrozen = Omit<FrozenFile, 'names' | 'fence'> & {
  readonly names: readonly PackedAll<FrozenNames>[]
  readonly fence?: readonly PackedAll<Omit<FencedKeys, 'because'>>[]
}
/** A piece of the declaration of a workspace, on its way from the worker that read it. */
export type Piece = Omit<WorkspaceDeclaration, 'rules' | 'unmanaged' | 'ownsKeys' | 'frozen'> & {
  readonly rules: readonly Packed<Rule>[]
  readonly unmanaged: readonly Packed<Unmanaged>[]
  readonly ownsKeys?: readonly PackedAll<FencedKeys>[]
  readonly frozen?: readonly PackedFrozen[]
}

/** The most entries of one list (rules, removed, unmanaged) in one message. The receiver needs about 10 ms for a message. */
const entriesAtOnce = 2_000

/** The declaration in portions of pieces. A long list is in several pieces. */
export function* pack(declaration: ReadonlyMap<WorkspaceName, WorkspaceDeclaration>): Generator<readonly Piece[]> {
  let portion: Piece[] = []
  let room = entriesAtOnce
  for (const { ownsKeys, frozen, waivers, ...whole } of declaration.values()) {
    const { rules, removed, unmanaged } = whole
    const keys = ownsKeys === undefined ? {} : { ownsKeys: ownsKeys.map(packedAll) }
    const length = Math.max(rules.length, removed.length, unmanaged.length, 1)
    for (let from = 0; from < length; ) {
      const to = from + room
      const piece = {
        ...whole,
        ...keys,
        rules: rules.slice(from, to).map(packed),
        removed: removed.slice(from, to),
        unmanaged: unmanaged.slice(from, to).map(packed),
      }
      portion.push(piece)
      room -= Math.max(1, piece.rules.length, piece.removed.length, piece.unmanaged.length)
      from = to
      if (room > 0) continue
      yield portion
      portion = []
      room = entriesAtOnce
    }
    if (waivers === undefined && frozen === undefined) continue
    // The workspaces keep their order.
    if (portion.length > 0) yield portion
    portion = []
    room = entriesAtOnce
    const rest = { ...whole, ...keys, rules: [], removed: [], unmanaged: [] }
    for (const waiverPortion of inPortions(waivers ?? [])) yield [{ ...rest, waivers: waiverPortion }]
    for (const file of frozen ?? []) yield [{ ...rest, frozen: [packedFrozen(file)] }]
  }
  if (portion.length > 0) yield portion
}

/** Each waiver counts as many entries as it describes changes. */
function* inPortions(waivers: readonly DeclaredWaiver[]): Generator<readonly DeclaredWaiver[]> {
  let portion: DeclaredWaiver[] = []
  let changes = 0
  for (const waiver of waivers) {
    changes += waiver.words.changes.length
    portion.push(waiver)
    if (changes < entriesAtOnce) continue
    yield portion
    portion = []
    changes = 0
  }
  if (portion.length > 0) yield portion
}

const packedFrozen = ({ names, fence, ...file }: FrozenFile): PackedFrozen => ({
  ...file,
  names: names.map(packedAll),
  ...(fence === undefined ? {} : { fence: fence.map(packedAll) }),
})

const packed = <T extends { readonly groups: GroupSelector }>({ groups, ...rest }: T): Packed<T> => ({
  ...rest,
  groups: packedSelector(groups),
})

const packedAll = <T extends { readonly groups: readonly GroupSelector[] }>(entry: T): PackedAll<T> => ({
  ...entry,
  groups: entry.groups.map(packedSelector),
})

function packedSelector(groups: GroupSelector): PackedSelector {
  if (groups.kind === 'exact') return groups
  const { without, within, ...rest } = groups
  const { syntax, source, steps } = groups.pattern
  return defined({
    ...rest,
    pattern: { syntax, source, steps },
    without: without?.map(packedSelector),
    within: within?.map(packedSelector),
  })
}

/** Puts the pieces together. Equal texts, roles, targets and patterns of different pieces become one again. */
export function unpacking() {
  const workspaces = new Map<WorkspaceName, WorkspaceDeclaration & Lists>()
  const texts = new Map<string, string>()
  const patterns = new Map<string, Pattern>()
  const share = sharing()
  const sharedText = (text: string): string => {
    const first = texts.get(text)
    if (first === undefined) texts.set(text, text)
    return first ?? text
  }
  /** A copy with shared texts. It names no field of an origin, so that none is lost on the way. */
  function becauseOf<T>(value: T): T {
    if (typeof value === 'string') return sharedText(value) as string & T
    if (typeof value !== 'object' || value === null) return value
    const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>
    for (const [name, part] of Object.entries(copy)) copy[name] = becauseOf(part)
    return copy as T
  }
  function groupsOf(groups: PackedSelector): GroupSelector {
    if (groups.kind === 'exact') return groups
    const { without, within, fence, ...rest } = groups
    const id = patternId(groups.pattern)
    const pattern = patterns.get(id) ?? openPattern(groups.pattern)
    patterns.set(id, pattern)
    return {
      ...rest,
      pattern,
      ...(without === undefined ? {} : { without: without.map(groupsOf) }),
      ...(within === undefined ? {} : { within: within.map(groupsOf) }),
      ...(fence === undefined ? {} : { fence: sharedText(fence) }),
    }
  }
  const keysOf = ({ ownsKeys }: Piece): Pick<WorkspaceDeclaration, 'ownsKeys'> =>
    ownsKeys === undefined
      ? {}
      : { ownsKeys: ownsKeys.map((keys) => ({ ...keys, groups: keys.groups.map(groupsOf), because: becauseOf(keys.because) })) }
  const frozenOf = ({ names, fence, because, ...file }: PackedFrozen): FrozenFile => ({
    ...file,
    because: becauseOf(because),
    names: names.map((frozenNames) => ({ ...frozenNames, groups: frozenNames.groups.map(groupsOf) })),
    ...(fence === undefined ? {} : { fence: fence.map((list) => ({ ...list, groups: list.groups.map(groupsOf) })) }),
  })
  const unpacked = <T extends Rule | Unmanaged>(entry: Packed<T>): T =>
    ({ ...entry, groups: groupsOf(entry.groups), because: becauseOf(entry.because) }) as unknown as T

  return {
    add(pieces: readonly Piece[]): void {
      for (const piece of pieces) {
        const { rules, removed, unmanaged, waivers: before = [], frozen: earlier = [] } = workspaces.get(piece.workspace) ?? emptyLists()
        const frozen = earlier.concat(piece.frozen?.map(frozenOf) ?? [])
        const waivers = before.concat(piece.waivers?.map((waiver) => ({ ...waiver, because: becauseOf(waiver.because) })) ?? [])
        const { ownsKeys: _, waivers: _mine, frozen: _files, ...whole } = piece
        const lists = {
          rules,
          removed,
          unmanaged,
          ...(waivers.length === 0 ? {} : { waivers }),
          ...(frozen.length === 0 ? {} : { frozen }),
        }
        workspaces.set(piece.workspace, { ...whole, ...keysOf(piece), ...lists })
        for (const rule of piece.rules)
          rules.push({ ...unpacked<Rule>(rule), role: share.role(rule.role), target: share.target(rule.target) })
        for (const entry of piece.removed) removed.push({ ...entry, because: becauseOf(entry.because) })
        for (const entry of piece.unmanaged) unmanaged.push(unpacked<Unmanaged>(entry))
      }
    },
    whole: (): ReadonlyMap<WorkspaceName, WorkspaceDeclaration> => workspaces,
  }
}

type Lists = { readonly rules: Rule[]; readonly removed: Removal[]; readonly unmanaged: Unmanaged[] } & Pick<
  WorkspaceDeclaration,
  'waivers' | 'frozen'
>
const emptyLists = (): Lists => ({ rules: [], removed: [], unmanaged: [] })

/** The memory of the files, for a transfer without a copy. Node keeps small files in memory that they share; those are copied. */
export const ownBuffers = ({ files }: DeclarationFiles): ArrayBuffer[] =>
  files.flatMap(({ bytes: { buffer, byteLength } }) => (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []))
