import { expect, test } from 'vitest'
import { checkSettings } from '../../../src/settings/check.ts'
import { type Settings, settingsSchema } from '../../../src/settings/schema.ts'
import { parseYaml } from '../../../src/yaml/parse.ts'
import { validate } from '../../../src/yaml/validate.ts'

const around = `version: 1
service: { baseUrl: "https://plane.example.com", credential: { apiKey: { env: K } } }
workspaces: { acme: {}, globex: {} }
declaration: ./groups
fences:
`
/** The problems of one fence, each with the word to which it points, and its cure. */
function problemsOf(fence: string): readonly string[] {
  const text = `${around}  ${fence}\n`
  const { document } = parseYaml(new TextEncoder().encode(text), { file: 'config.yaml', schema: settingsSchema })
  if (document === undefined) throw new Error(text)
  const checked = validate<Settings>(document, settingsSchema)
  const problems = checked.valid ? checkSettings(checked.value, document) : checked.problems
  const wordAt = (line: number, column: number) => /^[^,:}\]]+/.exec((text.split('\n')[line - 1] ?? '').slice(column - 1))?.[0]
  return problems.map(({ at, message, cure }) => `${wordAt(at.line, at.column)}: ${message}; ${cure}`)
}

const inside = 'projectRoles: { projects: [PAY], groups: ["pay-*"], roles: [guest] }'
const team = (words: string) => `teams/**: { owner: team-pay, ${words} }`

test.each<readonly [fence: string, problems: readonly string[]]>([
  [team(`workspace: acme, ${inside}`), []],
  ['teams/**: everything', []],
  [team(`workspace: acm, ${inside}`), ['acm: the settings name no workspace "acm"; did you mean "acme"? name one of: acme, globex']],
  [team(`workspace: nothing, ${inside}`), ['nothing: the settings name no workspace "nothing"; name one of: acme, globex']],
  [team('workspace: acme'), ['teams/**: nothing is inside this fence; add `projectRoles` or `workspaceRoles`']],
  [
    team('workspace: acme, projectRoles: { groups: [a], roles: [guest] }'),
    ['projectRoles: no project is inside this fence; add `projects`'],
  ],
  [team('workspace: acme, projectRoles: { projects: [PAY, "P*"], groups: [a], roles: [guest] }'), []],
  [team('workspace: acme, projectRoles: { allProjects: true, groups: [a], roles: [guest] }'), []],
  [
    team('workspace: acme, workspaceRoles: { groups: [a], roles: [guest, gust] }'),
    ['gust: "gust" is not one of the roles in roles.order; '],
  ],
  [team(`workspace: acme, ${inside}, demand: { expires: { gust: 90d } }`), ['gust: "gust" is not one of the roles in roles.order; ']],
  [
    team('workspace: acme, workspaceRoles: { groups: ["{a,b}*"], roles: [guest] }'),
    ['"{a: a glob can only have * and ?, not brackets and braces; write several globs'],
  ],
  [team('workspace: acme, workspaceRoles: { groups: ["{a}"], roles: [guest] }'), []],
  [
    team(`workspace: acme, ${inside}, may: remove`),
    [
      '"may" must be a list, this is a text; write a list: [ … ]. Did you mean "removed"? Allowed: removed, expires, unmanaged, previously, unknownGroups, unknownProjects, from, groupSync, allowProtected, waivers',
    ],
  ],
  [team(`workspace: acme, ${inside}, may: [expires, expires]`), ['[expires: a word is here twice; write each word once']],
  ...['../teams', '/teams', 'teams/{ab', '.teams', 'teams/'].map((path): readonly [string, readonly string[]] => [
    `"${path}": everything`,
    [`"${path}": this is not a path below the declaration; write names of files and folders`],
  ]),
])('%s', (fence, problems) => {
  const found = problemsOf(fence)
  expect(found).toHaveLength(problems.length)
  for (const [index, problem] of problems.entries()) expect(found[index]).toContain(problem)
})

const template = (path: string, words: string) => `"${path}": { owner: "team-{team}", workspace: acme, ${words} }`
const ofTeam = 'projectRoles: { projects: ["{TEAM}", "{TEAM}-*"], groups: ["{team}-*"], roles: [guest] }'

test.each<readonly [fence: string, problems: readonly string[]]>([
  [template('teams/{team}/**', ofTeam), []],
  [template('teams/{team}.yaml', ofTeam), []],
  ...[
    'teams/{team}*/**',
    '**/{team}/x.yaml',
    'teams/{team}/{team}.yaml',
    'teams/{TEAM}/**',
    'teams/{squad}/**',
    '{team}',
    'teams/x{team}/**',
  ].map(
    (path) =>
      [
        template(path, ofTeam),
        [expect.stringMatching(/is not a path below the declaration|not at a place of its own/) as unknown as string],
      ] as const,
  ),
  [
    team('workspace: acme, projectRoles: { projects: [PAY], groups: ["{team}-*"], roles: [guest] }'),
    ['"{team: "{team}-*" has the name of a team, and the path of this fence has none; write the path with {team}: teams/{team}/**'],
  ],
  [
    template('teams/{team}/**', 'projectRoles: { projects: [PAY], groups: ["*{team}*"], roles: [guest] }'),
    ['"*{team: "*{team}*" could stand for a name of several teams; write the team once, with * or ? only on one side of it: "{team}-*"'],
  ],
  [
    template('teams/{team}/**', 'projectRoles: { projects: [PAY], groups: ["{Team}-x"], roles: [guest] }'),
    ['"{Team: "{Team}-x" has braces that stand for nothing; write {team}, or {TEAM} for the same in upper case'],
  ],
  [
    `${template('teams/{team}/**', ofTeam)}\n  ${template('{team}/a/**', ofTeam)}`,
    ['"{team: this template and "teams/{team}/**" can stand for the same path; put them below different folders'],
  ],
])('a template %s', (fence, problems) => {
  expect(problemsOf(fence)).toEqual(problems)
})
