import type { Now, Stage } from './stage.ts'
import { company, contractsFile, fileOf, fileWith, reorganised, reorganisedFiles, rule } from './world.ts'

/** `happens` returns what waited. */
export type Event = { readonly title: string; readonly moment: string; readonly happens: (stage: Stage) => Promise<Waited> }
export type Waited = { readonly what: string; readonly forWhom: string } | 'nothing'

const platformFile = 'platform/acme.yaml'
const textOf = ({ files }: Stage, file: string): string => files().get(file) ?? ''
const waiting = ({ metric }: Now): number => metric('waiting_for_approval{')
const count = ({ mappings }: Now, pattern: RegExp): number => [...mappings].filter((mapping) => pattern.test(mapping)).length

/** In the order of the month: each begins with what the ones before left. */
export const events: readonly Event[] = [
  {
    title: '31 contracts end on one day',
    moment: '2099-03-02T09:00Z',
    async happens(stage) {
      const { edit, say, pass, run, until } = stage
      say('On Monday a person writes the last day of 31 contracts, which is Friday.')
      await edit([[contractsFile, textOf(stage, contractsFile).replaceAll('role: member }', 'role: member, expires: 2099-03-06 }')]])
      await until('the daemon knows the end', ({ metric }) => metric('later_changes') > 0)
      await run(['plan'], 0)
      await pass('2099-03-07T00:00Z')
      await until('the contracts have ended', (now) => count(now, / ext-/) === 0)
      say('At midnight the 31 mappings are deleted. Their end has been known for more than 72 hours, so it fills no limit.')
      return 'nothing'
    },
  },
  {
    title: 'A reorganisation renames 217 groups',
    moment: '2099-03-09T08:00Z',
    async happens(stage) {
      const { edit, editDirectory, editFences, files, pass, run, say, until } = stage
      say('The directory renames 217 groups. Their ids stay. The files do not have the new names yet, so the mappings stay as they are.')
      await editDirectory(reorganised(company().groups))
      await run(['plan'], 0)
      say('The platform team adds the new names to the fences of 18 teams.')
      await editFences({ hasMoved: true, has: (team) => team !== 'robots' })
      say('`export --renamed` prints the 217 rules with their new names.')
      await run(['export', '--renamed'], 0, { tail: 6 })
      await pass('2099-03-09T09:00Z')
      say('An hour later the files have the new names, each with the former one in `previously`.')
      await edit(reorganisedFiles(files()))
      await until('all groups have their new names', (now) => count(now, /north-|internal-audit/) === 217)
      return 'nothing'
    },
  },
  {
    title: 'An emergency, an hour later: a group becomes admin',
    moment: '2099-03-09T10:00Z',
    async happens(stage) {
      const { edit, run, say, until } = stage
      say(`Project PAY has an incident. A line gives \`it-leads\` the role admin. If the line said \`allowProtected: true\`, that would be all. It does not,
so the change waits, and a person approves it by its ID.`)
      await edit([[platformFile, `${textOf(stage, platformFile)}${rule('it-leads', 'PAY', 'admin', 'reason: INC-4711')}\n`]])
      await until('the grant waits', (now) => waiting(now) === 1)
      const id = idIn(await run(['status'], 0), /approve ([0-9a-f]{32})/)
      await run(['approve', id, '--now', '--reason', 'INC-4711'], 0)
      await until('the grant is written', ({ mappings }) => mappings.has('PAY it-leads → admin'))
      return { what: 'the grant of a protected role', forWhom: 'the operator' }
    },
  },
  {
    title: 'One urgent revocation in a waiting set of 21 deletes',
    moment: '2099-03-11T09:00Z',
    async happens(stage) {
      const { edit, run, pass, say, until } = stage
      say('A clean-up removes 21 lines of two teams. The limit is 10, so they wait together.')
      const before = ['shop', 'web'].map((team) => [fileOf(team), textOf(stage, fileOf(team))] as const)
      const groups = before.flatMap(([, text], index) =>
        [...text.matchAll(/group: ([\w-]+),/g)].map(([, name = '']) => name).slice(index, 11),
      )
      await edit(before.map(([file, text]) => [file, without(text, groups)]))
      await until('the set waits', (now) => waiting(now) === 21)
      say('One of these groups, `web-oncall`, must lose its access today.')
      const id = idIn(await run(['plan', '--all'], 3, { grep: 'web-oncall' }), /--allow ([0-9a-f]{32})/)
      // Exit code 3: the others wait on.
      await run(['approve', id, '--now', '--reason', 'SEC-88'], 3, { tail: 5 })
      await until('the urgent one is written', (now) => count(now, /web-oncall/) === 0 && waiting(now) === 20)
      say('The next day a person has checked the other 20.')
      await pass('2099-03-12T09:00Z')
      const set = idIn(await run(['status'], 0), /approve ([0-9a-f]{32})/)
      await run(['approve', set, '--now', '--reason', 'ACC-1204'], 0, { tail: 1 })
      await until('the set is written', (now) => waiting(now) === 0 && count(now, /^(SHOP|WEB) /) === 24 - 21)
      return { what: '21 deletes; one of them passed before the others', forWhom: 'the operator' }
    },
  },
  {
    title: 'A merge is reverted',
    moment: '2099-03-16T09:00Z',
    async happens(stage) {
      const { edit, pass, say, until } = stage
      const before = textOf(stage, platformFile)
      say('A merge gives a group a role in eight projects.')
      await edit([[platformFile, `${before}${rule('it-leads', '[OPS, QA, RISK, SALES, SEARCH, SEC, SHOP, WEB]', 'member')}\n`]])
      await until('the merge is written', (now) => count(now, / it-leads /) === 2 + 8)
      say('It was a mistake. Ten minutes later the revert takes back what the merge gave, and nothing else.')
      await pass('2099-03-16T09:10Z')
      await edit([[platformFile, before]])
      await until('the revert is written', (now) => count(now, / it-leads /) === 2)
      return 'nothing'
    },
  },
  {
    title: 'A team is dissolved',
    moment: '2099-03-18T09:00Z',
    async happens({ edit, editFences, pass, say, until }) {
      say('The folder of the team is removed, and with it go eight mappings.')
      await edit([[fileOf('lab'), undefined]])
      await until('the mappings of the team are gone', (now) => count(now, /^LAB /) === 0)
      say('The next day its fence is removed, too.')
      await pass('2099-03-19T09:00Z')
      await editFences({ hasMoved: true, has: (team) => !['lab', 'robots'].includes(team) })
      return 'nothing'
    },
  },
  {
    title: 'The file of a new team comes before its fence',
    moment: '2099-03-23T09:00Z',
    async happens(stage) {
      const { edit, editDirectory, editFences, run, pass, say, until } = stage
      const robots = ['robots-devs', 'robots-leads', 'robots-qa']
      const newGroups = robots.map((name, index) => ({ name, id: `id-${index + 601}`, people: 4 }))
      await editDirectory([...reorganised(company().groups), ...newGroups])
      say(
        'A merge has the file of a new team, for which the settings have no fence yet. Another team raises one group, and removes another one.',
      )
      const maps = without(textOf(stage, fileOf('maps')), ['maps-writers'])
      await edit([
        [fileOf('maps'), maps.replace('maps-pilots, project: MAPS, role: guest', 'maps-pilots, project: MAPS, role: commenter')],
        [fileOf('robots'), fileWith(robots.map((group) => rule(group, 'ROBOTS', 'member')))],
      ])
      await until('the raise is written', ({ mappings }) => mappings.has('MAPS maps-pilots → commenter'))
      await pass('2099-03-23T09:10Z')
      await run(['status'], 0)
      say('The platform team adds the fence.')
      await editFences({ hasMoved: true, has: (team) => team !== 'lab' })
      await until('the new team has its roles', (now) => count(now, /^ROBOTS /) === 3 && count(now, /maps-writers/) === 0)
      return { what: 'the new file, and the delete of the other team', forWhom: 'the platform team' }
    },
  },
  {
    title: '27 of 41 files are gone, and come back',
    moment: '2099-03-25T03:58Z',
    async happens(stage) {
      const { edit, files, run, pass, say, until } = stage
      const { mappings } = await until('any state', () => true)
      const gone = [...files()].filter(([file]) => file.startsWith('teams/')).slice(0, 27)
      say('At night a wrong commit removes 27 files.')
      await edit(gone.map(([file]) => [file, undefined]))
      await until('the deletes wait', (now) => waiting(now) === 323)
      await pass('2099-03-25T08:00Z')
      await run(['status'], 0)
      say('The files come back.')
      await edit(gone)
      const after = await until('nothing waits', (now) => waiting(now) === 0)
      if (mappings.symmetricDifference(after.mappings).size > 0) throw new Error('mappings were lost')
      await run(['plan'], 0)
      return { what: '323 deletes. Nothing was deleted', forWhom: 'the authors of the files' }
    },
  },
]

/** The text without the lines that give these groups a role. */
const without = (text: string, groups: readonly string[]): string =>
  text
    .split('\n')
    .filter((line) => !groups.some((group) => line.includes(`group: ${group},`)))
    .join('\n')

/** @throws if the text has no such ID */
function idIn(text: string, pattern: RegExp): string {
  const [, id] = pattern.exec(text) ?? []
  if (id === undefined) throw new Error(`there is no ID like ${pattern} in:\n${text}`)
  return id
}
