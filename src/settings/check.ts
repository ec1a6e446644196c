import { isGlob } from '../core/fencedProjects.ts'
import { didYouMean } from '../core/nearest.ts'
import { counted, firstNames } from '../core/quantity.ts'
import { knownRoles, type RoleSettings, unknownRole, unknownRoleCure } from '../core/roles.ts'
import { isOwner, isTemplate, namesTeam, teamWord, upperTeamWord, withTeam } from '../core/team.ts'
import type { FenceText } from '../declaration/fence.ts'
import { canBeOnePath } from '../declaration/fenceTemplate.ts'
import { dnCure, parseDn } from '../directories/ldap/dn.ts'
import { type AddProblem, type Path, placeAt, problemAt, valueAt, type YamlDocument } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'
import { shows } from '../yaml/source.ts'
import { checkAddresses } from './checkAddresses.ts'
import type { DirectorySettings } from './directories/directory.ts'
import { checkPage } from './page.ts'
import { guidPattern } from './patterns/name.ts'
import { isSlug, slugCure } from './scalars.ts'
import type { CredentialSettings, Settings } from './schema.ts'

/** After this many problems the others are not reported. */
const problemsMax = 100

/**
 * Checks that a schema cannot express: references between names, places in LDAP, and addresses to which a secret would be sent without TLS.
 *
 * @param shared the file of fences that the settings name
 */
export function checkSettings(settings: Settings, document: YamlDocument, shared?: YamlDocument): readonly Problem[] {
  const { service, workspaces, directories } = settings
  const problems: Problem[] = []
  const at: AddProblem = (path, message, cure, part) => {
    if (problems.length < problemsMax) problems.push(problemAt(document, path, message, typeof cure === 'function' ? cure() : cure, part))
  }
  const known = Object.keys(credentialsOf(settings))
  const isKnown = new Set(known)

  if (known.length === 0)
    at(['service'], '"credential" is missing', 'service.credential: { apiKey: { file: … } }, or PLANE_API_KEY in the environment')
  if (service.credential !== undefined && service.credentials?.['default'] !== undefined)
    at(
      ['service', 'credentials', 'default'],
      'there are two credentials with the name "default"',
      'service.credential is the one with this name: remove it, or name the other one differently',
      'key',
    )
  if (Object.keys(workspaces).length === 0) at(['workspaces'], 'no workspace is named', 'only the workspaces named here are ever touched')
  for (const [name, { credential = 'default' }] of Object.entries(workspaces)) {
    if (known.length === 0 || isKnown.has(credential)) continue
    const path = ['workspaces', name, 'credential']
    // The value may be an API key by mistake, so it is only shown if it looks like a name.
    const { start, end } = placeAt(document, path)
    const named = shows(document.source, start, end) ? `credential "${credential}"` : 'this credential'
    at(
      path,
      `${named} is not one of those in the settings (${firstNames(known)})`,
      () => `${didYouMean(credential, known)}name one of: ${firstNames(known)}`,
    )
  }
  for (const [name, { slug }] of Object.entries(workspaces)) {
    if (slug === undefined && !isSlug(name))
      at(['workspaces', name], `workspace "${name}" has no "slug", and its name cannot be one`, `add ${slugCure}: { slug: … }`, 'key')
  }
  const slugs = Map.groupBy(Object.entries(workspaces), ([name, { slug = name }]) => slug)
  for (const [slug, bound] of slugs) {
    for (const [name] of bound.slice(1))
      at(['workspaces', name], `the slug "${slug}" is used twice: two workspaces of the settings would write to one workspace of Plane`)
  }
  checkPeopleLimits(settings, at)
  checkAddresses(settings, at)
  checkPage(settings.http, settings.journal, at)
  for (const [name, directory] of Object.entries(directories)) {
    if (directory.kind === 'okta' && directory.reserve >= 1)
      at(['directories', name, 'reserve'], 'the reserve leaves nothing of the limit', 'lower it; 10% is usual')
    if (directory.kind === 'ldap') ldapMembers(directory, ['directories', name], at)
    if (directory.kind === 'scim') checkScim(directory, ['directories', name], at)
    weakerReading(name, directory, at)
    expectations(name, directory, at)
  }
  checkRoles(settings.roles, document, at)
  const atFence: AddProblem = (path, message, cure, part) => {
    const isOwn = shared === undefined || valueAt(document.value, path.slice(0, 2)) !== undefined
    if (problems.length < problemsMax)
      problems.push(problemAt(isOwn ? document : shared, path, message, typeof cure === 'function' ? cure() : cure, part))
  }
  checkFences(settings, atFence)
  for (const path of Object.keys(settings.fences ?? {}))
    if (shared !== undefined && [document, shared].every(({ value }) => valueAt(value, ['fences', path]) !== undefined))
      at(['fences', path], `this fence is also in ${settings.fencesFile}`, 'keep one of them', 'key')
  checkNotify(settings, at)
  const allowed = service.limit.requests - Math.ceil(service.limit.requests * service.limit.reserve)
  if (allowed < 1) at(['service', 'limit'], 'the reserve leaves nothing of the limit', 'lower service.limit.reserve')
  return problems
}

/** A place where the settings say `policy: sync`, and a person may expect what this policy did before `exclusive` existed. */
export function policyNotes(document: YamlDocument): readonly Problem[] {
  const workspaces = valueAt(document.value, ['workspaces'])
  const names = typeof workspaces === 'object' && workspaces !== null ? Object.keys(workspaces) : []
  const paths: readonly Path[] = [['policy'], ...names.map((name) => ['workspaces', name, 'policy'])]
  return paths.flatMap((path) =>
    valueAt(document.value, path) === 'sync'
      ? [
          problemAt(
            document,
            path,
            'policy sync deletes an undeclared mapping only if the journal shows that it is ours; before, it deleted all of them',
            'leave the line out, since sync is the default; or, to delete every undeclared mapping, write policy: exclusive',
          ),
        ]
      : [],
  )
}

/** Every credential by name; `service.credential` is the one named `default`. */
export function credentialsOf({ service }: Settings): Readonly<Record<string, CredentialSettings>> {
  return { ...service.credentials, ...(service.credential === undefined ? {} : { default: service.credential }) }
}

/** A limit on people holds every change whose people no directory knows. */
function checkPeopleLimits({ guards, workspaces, directories }: Settings, at: AddProblem): void {
  const areKnown = (directory: DirectorySettings) => directory.kind === 'file' || ('people' in directory && directory.people !== undefined)
  if (Object.values(directories).some(areKnown)) return
  const limited = (path: Path, limits: Settings['guards']['people'] = {}) => {
    for (const [name, limit] of Object.entries(limits))
      if (limit !== undefined)
        at(
          [...path, 'people', name],
          'no directory of these settings says who the members of groups are, so this limit would hold every such change',
          'add `people` to a directory, or remove the limit',
        )
  }
  limited(['guards'], guards.people)
  for (const [name, own] of Object.entries(workspaces)) limited(['workspaces', name, 'guards'], own.guards?.people)
}

function ldapMembers({ groups, people }: Extract<DirectorySettings, { kind: 'ldap' }>, path: Path, at: AddProblem): void {
  bases(groups.base, [...path, 'groups', 'base'], at)
  if (people === undefined) return
  bases(people.base, [...path, 'people', 'base'], at)
  if (groups.member === undefined)
    at(
      [...path, 'people'],
      '"people" needs the attribute with the members of groups, and "groups.member" is missing',
      'add `groups.member`: usually member; uniqueMember or memberUid for groups of these kinds',
      'key',
    )
}

function bases(base: string | readonly string[], path: Path, at: AddProblem): void {
  for (const [index, dn] of [base].flat().entries()) {
    // The empty DN is the root; the global catalogue of Active Directory is searched from there.
    if (parseDn(dn) === undefined) at(typeof base === 'string' ? path : [...path, index], 'this is not a DN', dnCure)
  }
}

/** A reading that proves less than usual is believed only if it has groups that are expected. */
function weakerReading(name: string, directory: DirectorySettings, at: AddProblem): void {
  const { atLeast, names } = directory.expect ?? {}
  if (atLeast !== undefined || names !== undefined) return
  const weaker = (path: Path, setting: string, why: string) =>
    at(
      ['directories', name, ...path],
      `"${setting}" needs "expect": ${why}`,
      `add \`expect: { names: [GROUP] }\` with groups that each reading has, or \`atLeast\`; \`groups --expect\` then proposes more`,
    )
  if (directory.kind === 'ldap' && directory.bind !== 'anonymous' && directory.bind.proof === 'none')
    weaker(['bind', 'proof'], 'proof: none', 'nothing else shows that the server sends all groups which the account may see')
  if (directory.kind === 'scim' && directory.pageSize === 0)
    weaker(['pageSize'], 'pageSize: 0', 'nothing else shows that the answer is the whole list')
}

/** Expectations that no reading can meet. */
function expectations(name: string, directory: DirectorySettings, at: AddProblem): void {
  const { atLeast = 0, names = [] } = directory.expect ?? {}
  if (directory.kind === 'file') return
  if (atLeast > directory.groupsMax)
    at(
      ['directories', name, 'expect', 'atLeast'],
      `${counted(atLeast, 'group')} are more than groupsMax, ${directory.groupsMax}`,
      `raise directories.${name}.groupsMax, or lower this number`,
    )
  if (directory.kind === 'entra' && directory.groups.name === 'id') {
    const isId = new RegExp(guidPattern, 'u')
    for (const [index, group] of names.entries()) {
      if (isId.test(group)) continue
      const path = ['directories', name, 'expect', 'names', index]
      at(path, 'the groups of this directory are named by their ids', 'write the object id of the group, or choose another groups.name')
    }
  }
  if (directory.kind === 'google' && directory.groups.name === 'email') {
    for (const [index, group] of names.entries()) {
      const path = ['directories', name, 'expect', 'names', index]
      if (!group.includes('@'))
        at(path, 'the groups of this directory are named by their e-mail addresses', `write as in ${group}@example.com`)
    }
  }
  if (directory.kind !== 'keycloak' || directory.groups.from !== 'groups' || directory.groups.name !== 'path') return
  // In `under`, `~/` is a slash inside of a name. In the names of groups it is one only with `slashes: escaped`.
  const { under = '' } = directory.groups
  const isComparable = !under.includes('~/')
  for (const [index, group] of names.entries()) {
    const path = ['directories', name, 'expect', 'names', index]
    if (!group.startsWith('/')) at(path, 'the groups of this directory are named by their paths', `begin with a slash: /${group}`)
    else if (isComparable && group !== under && !group.startsWith(`${under}/`))
      at(path, `this group is not below groups.under, ${under}`, 'name a group that is read')
  }
}

/** Fences that name a workspace or a role which the settings do not have, and fences without a key inside. */
function checkFences({ fences = {}, workspaces, roles }: Settings, at: AddProblem): void {
  const known = knownRoles(roles)
  const isKnown = new Set(known)
  const names = Object.keys(workspaces)
  const templates = Object.keys(fences).filter(isTemplate)
  for (const [index, path] of templates.entries()) {
    const other = templates.slice(0, index).find((earlier) => canBeOnePath(earlier, path))
    if (other !== undefined)
      at(['fences', path], `this template and "${other}" can stand for the same path`, 'put them below different folders', 'key')
  }
  for (const [path, fence] of Object.entries(fences)) {
    if (fence === 'everything') continue
    const base = ['fences', path]
    checkTeamWords(path, fence, base, at)
    const { workspace, workspaceRoles, projectRoles, demand } = fence
    if (!Object.hasOwn(workspaces, workspace)) {
      const cure = () => `${didYouMean(workspace, names)}name one of: ${firstNames(names)}`
      at([...base, 'workspace'], `the settings name no workspace "${workspace}"`, cure)
    }
    if (workspaceRoles === undefined && projectRoles === undefined)
      at(base, 'nothing is inside this fence', 'add `projectRoles` or `workspaceRoles`', 'key')
    if (projectRoles !== undefined && projectRoles.projects.length === 0 && !projectRoles.allProjects)
      at([...base, 'projectRoles'], 'no project is inside this fence', 'add `projects`', 'key')
    for (const [list, inside] of Object.entries({ workspaceRoles, projectRoles }))
      for (const [index, role] of (inside?.roles ?? []).entries())
        if (!isKnown.has(role)) at([...base, list, 'roles', index], unknownRole(role), () => unknownRoleCure(role, known))
    for (const role of Object.keys(demand.expires))
      if (!isKnown.has(role)) at([...base, 'demand', 'expires', role], unknownRole(role), () => unknownRoleCure(role, known), 'key')
  }
}

/** Only an owner whom a fence names can be told apart. */
/** `{team}` in words of a fence whose path has none, and words that could stand for a name of two teams although neither has the longer name. */
function checkTeamWords(path: string, fence: FenceText, base: Path, at: AddProblem): void {
  const { owner, workspaceRoles, projectRoles } = fence
  const lists: readonly (readonly [Path, readonly string[]])[] = [
    [[...base, 'owner'], [owner]],
    [[...base, 'workspaceRoles', 'groups'], workspaceRoles?.groups ?? []],
    [[...base, 'projectRoles', 'groups'], projectRoles?.groups ?? []],
    [[...base, 'projectRoles', 'projects'], projectRoles?.projects ?? []],
  ]
  for (const [list, words] of lists)
    for (const [index, word] of words.entries()) {
      const place = list.at(-1) === 'owner' ? list : [...list, index]
      const bare = withTeam(word, '')
      if (!isTemplate(path) && namesTeam(word))
        at(
          place,
          `"${word}" has the name of a team, and the path of this fence has none`,
          `write the path with ${teamWord}: teams/${teamWord}/**`,
        )
      else if (isTemplate(path) && /[{}]/.test(bare))
        at(place, `"${word}" has braces that stand for nothing`, `write ${teamWord}, or ${upperTeamWord} for the same in upper case`)
      else if (isTemplate(path) && namesTeam(word) && !isOneSided(word))
        at(
          place,
          `"${word}" could stand for a name of several teams`,
          `write the team once, with * or ? only on one side of it: "${teamWord}-*"`,
        )
    }
}

/** Whether the name of the team is there once, and wildcards only before it or only behind it. */
function isOneSided(word: string): boolean {
  const parts = word.split(/\{team\}|\{TEAM\}/)
  return parts.length === 2 && !parts.every((part) => isGlob(part))
}

function checkNotify({ notify, fences = {} }: Settings, at: AddProblem): void {
  const owners = [...new Set(Object.values(fences).flatMap((fence) => (fence === 'everything' ? [] : [fence.owner])))]
  for (const [index, { owner }] of notify.entries()) {
    if (owner === undefined || owners.some((word) => isOwner(word, owner))) continue
    const cure = () =>
      owners.length === 0 ? 'leave it out, or add `fences`' : `${didYouMean(owner, owners)}name one of: ${firstNames(owners)}`
    // The address of a receiver in the wrong place is a secret.
    const shown = /^https?:/i.test(owner) ? 'an address' : `"${owner}"`
    at(['notify', index, 'owner'], `no fence has the owner ${shown}`, cure)
  }
}

/** Checks that every role of the settings is in `roles.order`, and that no alias leads back to itself. */
function checkRoles(roles: RoleSettings, document: YamlDocument, at: AddProblem): void {
  const known = knownRoles(roles)
  const [isKnown, isOrdered] = [new Set(known), new Set(roles.order)]
  // The default of `roles.ordinary` may contain a role that `roles.order` lacks, so the default is not checked.
  const lists = 'project' in roles.ordinary ? Object.entries(roles.ordinary) : [['', roles.ordinary] as const]
  for (const [of, list] of lists) {
    const path = ['roles', 'ordinary', ...(of === '' ? [] : [of])]
    const ordinary = valueAt(document.value, path) === undefined ? [] : list
    for (const [index, role] of ordinary.entries())
      if (!isKnown.has(role)) at([...path, index], unknownRole(role), () => unknownRoleCure(role, known))
  }
  for (const role of Object.keys(roles.aliases))
    if (!isOrdered.has(role)) at(['roles', 'aliases', role], unknownRole(role), () => unknownRoleCure(role, roles.order), 'key')
  for (const circle of circles(roles.aliases)) {
    const [first = ''] = circle
    at(
      ['roles', 'aliases', first],
      `these aliases lead in a circle: ${[...circle, first].join(' → ')}`,
      'write one entry for each role that Plane renames: the name in the declaration, then the slug that Plane answers',
    )
  }
}

/** The circles of the aliases. Each begins with the first of its roles by name. */
function* circles(aliases: RoleSettings['aliases']): Generator<readonly string[]> {
  const seen = new Set<string>()
  for (const start of Object.keys(aliases)) {
    const way = new Set<string>()
    let role: string | undefined = start
    for (; role !== undefined && !seen.has(role); role = Object.hasOwn(aliases, role) ? aliases[role] : undefined) {
      seen.add(role)
      way.add(role)
    }
    if (role === undefined || !way.has(role)) continue
    const roles = [...way]
    const circle = roles.slice(roles.indexOf(role))
    const first = circle.indexOf(circle.toSorted()[0] ?? '')
    yield [...circle.slice(first), ...circle.slice(0, first)]
  }
}

/** Checks that a directory of the kind `scim` has exactly one way to its tokens: a static token, or a client with an issuer or a token endpoint. */
function checkScim(directory: Extract<DirectorySettings, { kind: 'scim' }>, path: Path, at: AddProblem): void {
  const { token, client, issuer, tokenUrl, scopes } = directory
  if (token === undefined && client === undefined)
    at(path, 'the directory has nothing that gives a token', 'add `token`, or `client` with `issuer` or `tokenUrl`', 'key')
  if (token !== undefined && client !== undefined)
    at([...path, 'client'], 'a directory has either "token" or "client"', 'keep one of them', 'key')
  if (client !== undefined && issuer === undefined && tokenUrl === undefined)
    at([...path, 'client'], 'the client has no "issuer" and no "tokenUrl" beside it', 'add one of them', 'key')
  if (issuer !== undefined && tokenUrl !== undefined)
    at(
      [...path, 'tokenUrl'],
      'a client has either "issuer" or "tokenUrl"',
      'keep `issuer` if the server has metadata, otherwise `tokenUrl`',
      'key',
    )
  if (client !== undefined) return
  for (const [name, isSet] of Object.entries({
    issuer: issuer !== undefined,
    tokenUrl: tokenUrl !== undefined,
    scopes: scopes !== undefined,
  }))
    if (isSet)
      at([...path, name], `"${name}" is about the tokens of a client, and there is no "client"`, 'remove it, or add `client`', 'key')
}
