/** A declaration of the workspace acme: each group is `member` of ENG. @param more further lists of the workspace, as YAML */
export const declared = (groups: readonly string[], more = ''): string =>
  [
    'version: 1',
    'workspaces:',
    '  acme:',
    '    projectRoles:',
    ...groups.map((group) => `      - { group: ${group}, project: ENG, role: member }`),
    more,
  ].join('\n')

/** `prefix-0` and so on. */
export const names = (prefix: string, count: number): readonly string[] => Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
