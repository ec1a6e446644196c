import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkSettings } from '../../../src/settings/check.ts'
import { type Settings, settingsSchema } from '../../../src/settings/schema.ts'
import { invalidFiles } from '../../../src/yaml/frame.ts'
import { parseYaml } from '../../../src/yaml/parse.ts'
import { validate } from '../../../src/yaml/validate.ts'
import { canary, shapes } from './shapes.ts'

/** The problems that the program reports for these settings. */
function toldOf(text: string): string {
  const { document, problems } = parseYaml(Buffer.from(text), { file: 'config.yaml', schema: settingsSchema })
  if (document === undefined) return invalidFiles(problems).text
  const checked = validate<Settings>(document, settingsSchema)
  const all = problems.concat(checked.valid ? checkSettings(checked.value, document) : checked.problems)
  return invalidFiles(all).text + JSON.stringify(all)
}

/** Settings in which only the secrets may be wrong. */
const settingsWith = (text: (indent: string) => string): string => `version: 1
service:
  baseUrl: https://plane.example
  timeout: 30s
  credential:
    apiKey: ${text('    ')}
workspaces:
  acme:
    slug: acme-stg
declaration: groups # in git
directories:
  corp:
    kind: ldap
    addresses: [ldaps://ldap.example]
    bind:
      dn: cn=reader,dc=example
      password: ${text('      ')}
    groups: { base: dc=example, name: cn }
  sso:
    kind: keycloak
    client: { id: sync, secret: ${text('    ')} }
    realm: staff
    url: https://sso.example
`

type Edit = (text: string, at: number) => string
const edits: readonly Edit[] = [
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  ...[
    ' ',
    '  ',
    '\n',
    '\t',
    ':',
    ': ',
    '#',
    ' #',
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    ',',
    '- ',
    '? ',
    '|',
    '>',
    '&',
    '*',
    '!',
    '%',
    '@',
    '\\',
    '\r',
    '\0',
  ].map(
    (sign): Edit =>
      (text, at) =>
        text.slice(0, at) + sign + text.slice(at),
  ),
  // A line is removed, doubled, indented differently, or swapped with the next one.
  ...[
    (): string[] => [],
    (line: string): string[] => [line, line],
    (line: string): string[] => [` ${line}`],
    (line: string): string[] => [line.replace(/^ {1,2}/, '')],
    (line: string): string[] => [line.trimStart()],
    (line: string, next: string): string[] => [next, line],
  ].map(
    (change): Edit =>
      (text, at) => {
        const lines = text.split('\n')
        const index = text.slice(0, at).split('\n').length - 1
        const next = lines[index + 1] ?? ''
        const made = change(lines[index] ?? '', next)
        return [...lines.slice(0, index), ...made, ...lines.slice(index + (made.includes(next) && made.length === 2 ? 2 : 1))].join('\n')
      },
  ),
  // Key and value are swapped.
  (text, at) => {
    const start = text.lastIndexOf('\n', at) + 1
    return text.slice(0, start) + text.slice(start).replace(/^([ -]*)([\w.]+): ([^\n]+)/, '$1$3: $2')
  },
]

test('settings with secrets in them, after any few edits', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...shapes),
      fc.array(fc.tuple(fc.constantFrom(...edits), fc.double({ min: 0, max: 0.999, noNaN: true })), { minLength: 1, maxLength: 4 }),
      (shape, drawn) => {
        let text = settingsWith((indent) => shape.text(canary, indent))
        for (const [edit, share] of drawn) text = edit(text, Math.floor(share * text.length))
        expect(toldOf(text), text).not.toContain(canary)
      },
    ),
    { numRuns: 2_000 },
  )
  expect(toldOf(settingsWith(() => '{ env: KEY }'))).toBe('[]')
})
