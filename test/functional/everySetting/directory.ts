import { emptyMemory, remember } from '../../../src/core/memory/memory.ts'
import { composed, type Ports, usual } from './composed.ts'
import { type Row, type Tree, when } from './row.ts'

/** The settings with this as their only directory, `corp`. */
export const withDirectory = (corp: Tree): Tree => ({ ...usual, directories: { corp } })

/**
 * Makes the rows of one kind of directory.
 *
 * @param corpOf the directory, from what is special in a row
 * @param seen starts a server and the program with these settings, and lets `look` see what comes of them
 */
export const rowsOf =
  <Seen, Server>(
    kind: string,
    corpOf: (base?: Tree) => Tree,
    seen: (settings: Tree, look: (seen: Seen) => unknown, server?: Server) => Promise<unknown>,
  ) =>
  (
    setting: string,
    cases: Row['cases'],
    look: (seen: Seen) => unknown,
    { base, server }: { readonly base?: Tree; readonly server?: Server } = {},
  ): Row => ({
    setting: `directories.<${kind}>.${setting}`,
    base: withDirectory(corpOf(base)),
    cases,
    see: (settings) => seen(settings, look, server),
  })

/**
 * Rows that show how far a directory may shrink, and what it must have. The last accepted reading had ten groups; now the directory has two.
 *
 * @param twoGroups starts a server with the groups `devs` and `ops` for these settings, and calls `look` with its port
 */
export function checkRows(
  kind: string,
  corp: Tree,
  twoGroups: (look: (ports: Ports) => Promise<unknown>) => Promise<unknown>,
  names: readonly string[] = ['devs', 'ops'],
): readonly Row[] {
  const see = (settings: Tree) =>
    twoGroups(async (ports) => {
      const ten = remember(emptyMemory, { kind: 'reading', atMs: Date.now(), run: 'r', of: 'corp', size: 10 }, 1_000)
      await using program = await composed(settings, { ports, memory: () => ten })
      const { directories } = await program.cycle()
      return directories.map(({ status, groups }) => `${status}: ${groups} groups`).join()
    })
  const believed = 'complete: 2 groups'
  const doubted = 'partial: 2 groups'
  return [
    {
      setting: `directories.<${kind}>.shrink.share`,
      base: withDirectory(corp),
      cases: [when('50%', doubted), when('80%', believed)],
      see,
    },
    {
      setting: `directories.<${kind}>.shrink.minExisting`,
      base: withDirectory(corp),
      cases: [when(7, doubted), when(8, believed)],
      see,
    },
    {
      setting: `directories.<${kind}>.expect.atLeast`,
      base: withDirectory({ ...corp, shrink: { minExisting: 8 } }),
      cases: [when(undefined, believed), when(3, doubted)],
      see,
    },
    {
      setting: `directories.<${kind}>.expect.names`,
      base: withDirectory({ ...corp, shrink: { minExisting: 8 } }),
      cases: [when(names, believed), when([...names, `${names[0]}x`], doubted)],
      see,
    },
  ]
}
