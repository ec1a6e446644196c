import { code, type Row, rowsBelow, type Schema, valuesOf } from './schema-rows.ts'

/** The generated parts of docs/declaration.md, by the names of their markers. */
export type DeclarationReference = Readonly<
  Record<'file' | 'rule' | 'project-rule' | 'removed' | 'unmanaged' | 'waivers' | 'waived-change', string>
>

/**
 * Every key of a declaration as Markdown tables: the file with its workspaces, and the entries of each list.
 *
 * @param declaration the JSON Schema of a file of the declaration
 */
export function declarationReference(declaration: object): DeclarationReference {
  const file = declaration as Schema
  const lists = valuesOf(file.properties?.['workspaces'] ?? {})?.properties ?? {}
  const [workspaceRule, projectRule, removed, unmanaged, waiver] = [
    'workspaceRoles',
    'projectRoles',
    'removed',
    'unmanaged',
    'waivers',
  ].map((name) => lists[name]?.items ?? {}) as [Schema, Schema, Schema, Schema, Schema]
  const change = waiver.properties?.['changes']?.items ?? {}
  const ofChange = new Set(rowsBelow('', change).map(({ path }) => path))
  const common = rowsBelow('', workspaceRule)
  const isCommon = ({ path }: Row) => common.some((row) => row.path === path)
  return {
    file: table(rowsBelow('', file)),
    rule: [choices(workspaceRule), table(common)].join('\n\n'),
    'project-rule': [choices(projectRule, workspaceRule), table(rowsBelow('', projectRule).filter((row) => !isCommon(row)))].join('\n\n'),
    removed: [choices(removed), table(rowsBelow('', removed))].join('\n\n'),
    unmanaged: [choices(unmanaged), table(rowsBelow('', unmanaged))].join('\n\n'),
    'waived-change': [choices(change), table(rowsBelow('', change).filter(({ path }) => !path.startsWith('groupSync.')))].join('\n\n'),
    waivers: table(rowsBelow('', waiver).filter(({ path }) => !ofChange.has(path))),
  }
}

/** `An entry has exactly one of …` for each such demand. The demands of `other` are left out, and so are old words. */
function choices(entry: Schema, other: Schema = {}): string {
  const [all, known] = [entry, other].map(({ allOf = [] }) => allOf.map(({ oneOf = [] }) => oneOf.flatMap(({ required = [] }) => required)))
  return (all ?? [])
    .filter((keys) => !(known ?? []).some((one) => one.join() === keys.join()))
    .map((keys) => keys.filter((key) => entry.properties?.[key]?.deprecated !== true).map(code))
    .map((keys) => `An entry has ${keys.length < 2 ? '' : 'exactly one of '}${keys.join(', ').replace(/, (?=[^,]*$)/, ' and ')}.`)
    .join(' ')
}

/** The descriptions are plain text. */
const plain = (text: string): string => text.replaceAll(/[\\`*_<|]/g, '\\$&')

const table = (rows: readonly Row[]): string =>
  [
    '| key | what it takes | meaning |',
    '|---|---|---|',
    ...rows.map(({ path, kind, otherwise, means }) => {
      const takes = [kind, otherwise].filter((part) => part !== '').join(', ')
      return `| \`${path}\` | ${takes.replaceAll('|', '\\|')} | ${plain(means)} |`
    }),
  ].join('\n')
