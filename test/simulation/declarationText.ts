import type { Declared, DeclaredRule, DeclaredWorkspace, TeamFile, WaivedChange } from './declared.ts'

/** The text in block style, as a person writes it: a file that is cut off at a line may still be valid, with less in it. */
export function declarationText({ workspaces, comment, style = { lists: false } }: Declared): string {
  const { from, lists: merges } = style
  const fromLine = `from: [${from?.names.join(', ')}]`
  const lines = ['version: 1', `# ${comment}`, ...(from?.at === 'file' ? [fromLine] : []), 'workspaces:']
  for (const one of workspaces) {
    lines.push(`  ${one.name}:`, ...(from?.at === 'workspace' ? [`    ${fromLine}`] : []))
    for (const list of ['workspaceRoles', 'projectRoles'] as const) {
      const rules = one[list]
      if (rules === undefined) continue
      lines.push(rules.length === 0 ? `    ${list}: []` : `    ${list}:`)
      for (const same of merges ? merged(rules) : rules.map((rule) => [rule])) {
        lines.push(...ruleLines(same))
        if (from?.at === 'rule') lines.push(`        ${fromLine}`)
      }
    }
    if (one.removed.length > 0) lines.push('    removed:')
    for (const { group, at } of one.removed) lines.push(`      - { group: ${quoted(group)}, ${targetText(at, true)} }`)
    if (one.unmanaged.length > 0) lines.push('    unmanaged:')
    for (const glob of one.unmanaged) lines.push(`      - { groupGlob: ${quoted(glob)} }`)
    lines.push(...unmanagedLines(one), ...waiverLines(one))
    const isEmpty =
      one.workspaceRoles === undefined &&
      one.projectRoles === undefined &&
      one.removed.length + one.unmanaged.length + (one.unmanagedAt ?? []).length + (one.waivers ?? []).length === 0
    if (isEmpty && from?.at !== 'workspace') lines.splice(-1, 1, `  ${one.name}: {}`)
  }
  return `${lines.join('\n')}\n`
}

function unmanagedLines({ unmanaged, unmanagedAt = [] }: DeclaredWorkspace): readonly string[] {
  const entries = unmanagedAt.map(
    ({ group, at }) => `      - { ${group.endsWith('*') ? 'groupGlob' : 'group'}: ${quoted(group)}, ${targetText(at, true)} }`,
  )
  return entries.length > 0 && unmanaged.length === 0 ? ['    unmanaged:', ...entries] : entries
}

function waiverLines({ waivers = [] }: Pick<DeclaredWorkspace, 'waivers'>): readonly string[] {
  const entries = waivers.flatMap(({ changes, until }) => {
    const end = [`until: ${until}`, 'reason: "simulation"']
    const [only, ...others] = changes.map(changeWords)
    if (only !== undefined && others.length === 0) return [`      - { ${[...only, ...end].join(', ')} }`]
    return [
      '      - changes:',
      ...changes.map((change) => `          - { ${changeWords(change).join(', ')} }`),
      ...end.map((line) => `        ${line}`),
    ]
  })
  return entries.length === 0 ? [] : ['    waivers:', ...entries]
}

const changeWords = ({ group, at, from = 'none', to = 'none', was, id }: WaivedChange): readonly string[] => [
  ...[`group: ${quoted(group)}`, targetText(at, true), `from: ${from}`, `to: ${to}`],
  ...(was === undefined ? [] : [`previously: ${quoted(was)}`]),
  ...(id === undefined ? [] : [`id: ${quoted(id)}`]),
]

/** The text of a file inside a fence. */
export function teamText(team: TeamFile, comment: string): string {
  const { workspaceRoles, projectRoles, removed, unmanagedAt, waivers = [], fence, broken } = team
  if (broken === 'text') return 'version: 1\nworkspaces: [broken\n'
  const outside: DeclaredRule = { group: 'it', at: 'SECRET', role: 'guest' }
  const wrong = broken === 'outside' ? [outside] : []
  const inProjects = projectRoles === undefined && wrong.length === 0 ? {} : { projectRoles: [...(projectRoles ?? []), ...wrong] }
  const lists = { ...(workspaceRoles === undefined ? {} : { workspaceRoles }), ...inProjects }
  return declarationText({ workspaces: [{ name: fence.workspace, ...lists, removed, unmanaged: [], unmanagedAt, waivers }], comment })
}

/** Exact rules that differ only in their groups, together. */
const merged = (rules: readonly DeclaredRule[]): readonly (readonly DeclaredRule[])[] => [
  ...Map.groupBy(rules, (rule) =>
    'group' in rule && rule.previously === undefined ? JSON.stringify({ ...rule, group: '' }, Object.keys(rule).toSorted()) : rule,
  ).values(),
]

function ruleLines(same: readonly DeclaredRule[]): string[] {
  const [rule] = same as [DeclaredRule]
  const groups = same.flatMap((one) => ('group' in one ? [quoted(one.group)] : []))
  const lines = [`      - ${groups.length > 1 ? `group: [${groups.join(', ')}]` : selectorText(rule)}`]
  if ('captured' in rule) lines.push(`        project: { capture: app, map: ${JSON.stringify(rule.map)} }`)
  else if (rule.at !== 'workspace') lines.push(`        ${targetText(rule.at, false)}`)
  lines.push(`        role: ${quoted(rule.role)}`)
  if (rule.allowProtected === true) lines.push('        allowProtected: true')
  if (rule.starts !== undefined) lines.push(`        starts: ${rule.starts}`)
  if (rule.expires !== undefined) lines.push(`        expires: ${rule.expires}`)
  if ('group' in rule && rule.previously !== undefined) lines.push(`        previously: ${quoted(rule.previously)}`)
  if ('group' in rule && rule.send === true) lines.push('        unknownGroups: send')
  if (rule.sendsProject === true) lines.push('        unknownProjects: send')
  else if ('captured' in rule && rule.skipsProject === true) lines.push('        unknownProjects: skip')
  if (rule.reason !== undefined) lines.push(`        reason: ${quoted(rule.reason)}`)
  return lines
}

function selectorText(rule: DeclaredRule): string {
  if ('group' in rule) return `group: ${quoted(rule.group)}`
  return 'glob' in rule ? `groupGlob: ${quoted(rule.glob)}` : `groupRegex: ${quoted(`(?<app>${rule.captured.join('|')})-.*`)}`
}

function targetText(at: string, workspaceToo: boolean): string {
  if (at === '*') return 'allProjects: true'
  return at === 'workspace' && workspaceToo ? 'workspace: true' : `project: ${quoted(at)}`
}

const quoted = (text: string): string => JSON.stringify(text)
