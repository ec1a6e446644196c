import type { FenceText } from '../../../src/declaration/fence.ts'
import { fenceWords } from '../../../src/declaration/fenceWords.ts'

/**
 * Files that try to reach beyond the fence of their team, in words. Each is refused at a line, or changes only mappings inside: the group is `all-staff` or
 * begins with `pay-`, the project is `PAY`, the role is `guest` or `member`. The policy is `sync`, and the workspace has mappings outside.
 */
type HostileFile = readonly [what: string, text: string, seen: RegExp | readonly string[], fence?: FenceText]

export const pay: FenceText = {
  owner: 'team-pay',
  workspace: 'acme',
  projectRoles: { projects: ['PAY'], allProjects: false, roles: ['guest', 'member'], groups: ['pay-*', 'all-staff'] },
  may: [],
  demand: { reason: false, expires: {} },
}
export const everyWord: FenceText = { ...pay, may: fenceWords }
const [cyrillicA, zeroWidth, rightToLeft, decomposed] = ['\u0430', '\u200b', '\u202e', 'cafe\u0301']

const body = (acmeText: string) => `version: 1\nworkspaces:\n  acme:\n    ${acmeText}\n`
const waiver = (text: string) => body(`waivers: [ { ${text}, until: 2026-01-20, reason: x } ]`)
export const rule = (text: string) => body(`projectRoles: [ { ${text} } ]`)
const devs = 'group: pay-devs, project: PAY, role: member'

const created = (...names: readonly string[]) => names.map((name) => `create PAY ${name} = member`)
const leadsAre = (role: string) => `patch PAY pay-leads: guest → ${role}`
const leadsGo = 'delete PAY pay-leads = guest (undeclared)'
const all = [leadsAre('member'), ...created('all-staff', 'pay-caf\u00e9', 'pay-devs', 'pay-web')]

export const hostileFiles: readonly HostileFile[] = [
  // words
  ['another workspace', 'version: 1\nworkspaces: { globex: { projectRoles: [] } }', /:2:15 the workspace "globex" is outside/],
  ['roles in the workspace', body('workspaceRoles: [ { group: pay-devs, role: guest } ]'), /:4:5 "workspaceRoles" is outside/],
  ['another project', rule('group: pay-devs, project: ENG, role: member'), /the project "ENG" is outside/],
  ['another project behind its own', rule('group: pay-devs, project: [PAY, ENG], role: member'), /the project "ENG" is outside/],
  ['all projects', rule('group: pay-devs, allProjects: true, role: guest'), /"allProjects" is outside/],
  ['a higher role', rule('group: pay-devs, project: PAY, role: admin'), /the role "admin" is outside/],
  ['a role in capitals', rule('group: pay-devs, project: PAY, role: MEMBER'), /the role "MEMBER" is outside/],
  ['another owner', `owner: platform\n${rule(devs)}`, /:1:8 the owner of this file is "team-pay"/],
  ['another group to be renamed', rule(`${devs}, previously: admins`), /the group "admins" is outside/, everyWord],
  ['another group to be deleted', body('removed: [ { group: admins, project: PAY } ]'), /the group "admins" is outside/, everyWord],
  ['a mapping of all projects to be deleted', body('removed: [ { group: all-staff, allProjects: true } ]'), /outside/, everyWord],
  ['another project left unmanaged', body('unmanaged: [ { groupGlob: "*", project: ENG } ]'), /the project "ENG" is outside/, everyWord],
  ['all mappings left unmanaged', body('unmanaged: [ { groupGlob: "*" } ]'), /an entry without a target is outside/, everyWord],
  ['settings of the workspace', body('groupSync: { autoRemove: true }'), /"groupSync" is not allowed here/],
  ['a waiver', waiver(devs.replace('role: member', 'from: none, to: member')), /"waivers" is not allowed here/],
  ['a waiver for another group', waiver('group: admins, project: PAY, from: none, to: guest'), /the group "admins" is outside/, everyWord],
  [
    'a waiver for another project',
    waiver('group: pay-devs, project: ENG, from: none, to: guest'),
    /the project "ENG" is outside/,
    everyWord,
  ],
  ['a waiver for a higher role', waiver('group: pay-devs, project: PAY, from: none, to: admin'), /the role "admin" is outside/, everyWord],
  [
    'a waiver for a rename of another group',
    waiver('group: pay-devs, previously: admins, project: PAY, from: guest, to: guest'),
    /the group "admins" is outside/,
    everyWord,
  ],
  [
    'a waiver for several changes',
    waiver('changes: [ { group: pay-devs, project: PAY, from: guest, to: none } ]'),
    /"changes" in a waiver is outside/,
    everyWord,
  ],
  [
    'a waiver for very many people',
    waiver('group: pay-devs, project: PAY, from: none, to: guest, people: any'),
    /"people" in a waiver is outside/,
    everyWord,
  ],
  [
    'a waiver for settings of the workspace',
    waiver('groupSync: { autoRemove: { from: false, to: true } }'),
    /"groupSync" in a waiver is outside/,
    everyWord,
  ],
  ['a group that is not there', rule('group: pay-new, project: PAY, role: member, unknownGroups: send'), /"unknownGroups" is not allowed/],
  ['no list: nothing is owned', body('removed: []'), [], everyWord],
  ['an empty list: only what is inside is undeclared', body('projectRoles: []'), [leadsGo]],
  // patterns
  ['every group, by a glob', rule('groupGlob: "*", project: PAY, role: member'), all],
  ['every group, by an expression', rule("groupRegex: '(?s).*', project: PAY, role: member"), all],
  ['every letter case', rule("groupRegex: '(?i)pay-devs', project: PAY, role: member"), [leadsGo, ...created('pay-devs')]],
  ['a glob that begins outside', rule('groupGlob: "*-devs", project: PAY, role: member'), [leadsGo, ...created('pay-devs')]],
  ['a glob for groups outside', rule('groupGlob: "ops-*", project: PAY, role: member'), [leadsGo]],
  ['a pattern with another role', rule('groupGlob: "*", project: PAY, role: admin'), /the role "admin" is outside/],
  ['an expression that ends the one around it', rule("groupRegex: 'x)|(?:.*', project: PAY, role: member"), /./],
  // captures
  [
    'a captured project',
    rule("groupRegex: '(?<p>[a-zA-Z]+)-.*', project: { capture: p }, role: member"),
    [leadsAre('member'), ...created('pay-caf\u00e9', 'pay-devs', 'pay-web')],
  ],
  [
    'a captured project with a map',
    rule("groupRegex: 'pay-(?<p>.*)', project: { capture: p, map: { devs: ENG } }, role: member"),
    /the project "ENG" is outside/,
  ],
  ['a captured project that is in no map', rule("groupRegex: 'pay-(?<p>.*)', project: { capture: p }, role: member"), [leadsGo]],
  [
    'a captured role with a map',
    rule("groupRegex: 'pay-(?<l>.*)', project: PAY, role: { capture: l, map: { devs: admin } }"),
    /the role "admin" is outside/,
  ],
  ['a captured role without a map', rule("groupRegex: 'pay-(?<l>.*)', project: PAY, role: { capture: l }"), /./],
  // letters
  ['a group in capitals', rule('group: PAY-devs, project: PAY, role: member'), /the group "PAY-devs" is outside/],
  ['a letter of another script', rule(`group: p${cyrillicA}y-devs, project: PAY, role: member`), /is outside/],
  ['an invisible character before the name', rule(`group: "${zeroWidth}pay-devs", project: PAY, role: member`), /./],
  ['an invisible character in the prefix', rule(`group: "pa${zeroWidth}y-devs", project: PAY, role: member`), /./],
  ['a character that turns the direction', rule(`group: "pay-${rightToLeft}sved", project: PAY, role: member`), /./],
  ['a blank before the name', rule('group: " pay-devs", project: PAY, role: member'), /./],
  ['a name in two forms of Unicode', rule(`group: "pay-${decomposed}", project: PAY, role: member`), /not Unicode NFC/],
  ['a project in small letters', rule('group: pay-devs, project: pay, role: member'), [leadsGo, ...created('pay-devs')]],
  ['a project with a letter of another script', rule(`group: pay-devs, project: P\u0410Y, role: member`), /the project "P.Y" is outside/],
  // YAML
  ['two documents', `${rule(devs)}---\n${rule('group: admins, project: ENG, role: admin')}`, /:5:1|:6:/],
  ['an anchor and its alias', `version: 1\nworkspaces:\n  acme: &a { projectRoles: [ { ${devs} } ] }\n  globex: *a\n`, /./],
  ['a merge key', body(`projectRoles: [ { <<: { role: admin }, group: pay-devs, project: PAY } ]`), /./],
  ['a key twice', rule(`${devs}, role: admin`), /./],
  ['a list twice', `${rule(devs)}    projectRoles: [ { group: admins, project: ENG, role: admin } ]\n`, /:5:/],
  ['a tag', rule('group: !!binary YWRtaW5z, project: PAY, role: member'), /./],
  ['a file without limits inside of the file', `fences: { "teams/pay/**": everything }\n${rule(devs)}`, /:1:1 unknown key/],
]
