import { composed, readCorp, usual } from './composed.ts'
import { checkRows } from './directory.ts'
import { type Row, when } from './row.ts'

/** Settings that decide which files are read. */
export const fileRows: readonly Row[] = [
  {
    setting: 'declaration',
    base: usual,
    cases: [when('groups.yaml', ['devs']), when('other-groups.yaml', ['ops'])],
    async see(settings) {
      await using program = await composed(settings)
      const { workspaces } = await program.program.sources.declaration(new AbortController().signal)
      return [...workspaces.values()].flatMap(({ rules }) =>
        rules.map(({ groups }) => (groups.kind === 'exact' ? groups.name : groups.pattern.source)),
      )
    },
  },
  {
    setting: 'directories.<file>.path',
    base: usual,
    cases: [when('directory.yaml', { complete: ['devs', 'ops'] }), when('other-directory.yaml', { complete: ['sales'] })],
    async see(settings) {
      await using program = await composed(settings)
      return await readCorp(program)
    },
  },
  ...checkRows('file', { kind: 'file', path: 'directory.yaml' }, (look) => look({})),
]
