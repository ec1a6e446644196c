import { groupAttributes, memberAttributes, plainClasses } from '../../src/directories/ldap/memberSources.ts'

/** The names in LDAP that decide whether a number of people is exact, for docs/directories.md. */
export const memberSources = (): string =>
  [
    `- Object classes that the program knows: ${listed(plainClasses)}.`,
    `- Attributes of a group that make members: ${listed(memberAttributes)}, and each attribute that has \`member\` in its name.`,
    `- Attributes of people that name groups: ${listed(groupAttributes)}.`,
  ].join('\n')

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')
