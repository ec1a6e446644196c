import { groupAttributes, memberAttributes, plainClasses } from '../../src/directories/ldap/memberSources.ts'

/** The names in LDAP that decide whether a number of people is exact, for docs/directories.md. */
export const memberSources = (): string =>
  [
    `- Object classes that the program knows, with the attributes by which they make members: ${Object.entries(plainClasses).map(withAttributes).join(', ')}.`,
    `- Attributes of a group that make members: ${listed(memberAttributes)}, and each attribute that has \`member\` in its name.`,
    `- Attributes of people that name groups: ${listed(groupAttributes)}.`,
  ].join('\n')

const withAttributes = ([name, attributes]: readonly [string, readonly string[]]): string =>
  attributes.length === 0 ? `\`${name}\`` : `\`${name}\` (${listed(attributes)})`

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')
