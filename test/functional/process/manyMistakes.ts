/*
 * Texts with `n` mistakes of one kind. Each kind is a path of its own through the code that reads a file.
 */

export type Mistakes = Readonly<Record<string, (n: number) => string>>

const times = (n: number, line: (index: number) => string): string => Array.from({ length: n }, (_, index) => line(index)).join('')

/** Mistakes of YAML that every reader of YAML must take. */
const syntax: Mistakes = {
  'unknown keys': (n) => times(n, (i) => `k${i}: 1\n`),
  'unknown keys in one line': (n) => `{ ${times(n, (i) => `k${i}: 1, `)} }`,
  'one key again and again': (n) => times(n, () => `version: 1\n`),
  'each key twice': (n) => times(n, (i) => `k${i % (n / 2)}: 1\n`),
  'each key twice below one key': (n) => `workspaces:\n${times(n, (i) => `  k${i % (n / 2)}: {}\n`)}`,
  'one key again and again in one line': (n) => `{ ${times(n, () => `a: 1, `)} }`,
  'keys without a blank': (n) => times(n, (i) => `k${i}:1\n`),
  'keys without a value': (n) => times(n, (i) => `k${i}\n`),
  'keys without a colon below a key': (n) => `version: 1\n${times(n, (i) => `k${i}\n`)}`,
  'known keys without a blank': (n) => `version:1\n${times(n, (i) => `version:${i}\n`)}`,
  'list items': (n) => times(n, (i) => `- ${i}\n`),
  'lists in lists': (n) => times(n, () => `- - - a\n`),
  'empty items': (n) => times(n, () => `-\n`),
  'an item deeper at each line': (n) => times(n, () => `- `),
  'brackets that are not closed': (n) => '['.repeat(n),
  'braces that are not closed': (n) => '{a: '.repeat(n),
  'brackets that are not opened': (n) => `a: 1\n${']'.repeat(n)}`,
  'brackets that are not opened, in lines': (n) => `a: 1\n${']\n'.repeat(n)}`,
  commas: (n) => `[${','.repeat(n)}]`,
  colons: (n) => ':'.repeat(n),
  'colons with blanks': (n) => ': '.repeat(n),
  'question marks': (n) => '? '.repeat(n),
  'question marks in lines': (n) => '? a\n'.repeat(n),
  quotes: (n) => `a: ${'"'.repeat(n)}\n`,
  'quotes in lines': (n) => times(n, (i) => `k${i}: "a" b\n`),
  'quotes that are not closed': (n) => times(n, (i) => `k${i}: "a\n`),
  'escapes that do not exist': (n) => `a: "${'\\q'.repeat(n)}"\n`,
  'escapes that do not exist, in lines': (n) => times(n, (i) => `k${i}: "\\q"\n`),
  anchors: (n) => times(n, (i) => `k${i}: &a${i} 1\n`),
  aliases: (n) => times(n, (i) => `k${i}: *a${i}\n`),
  'aliases of an anchor': (n) => `a: &a 1\n${times(n, (i) => `k${i}: *a\n`)}`,
  'anchors in one line': (n) => `[${times(n, (i) => `&a${i} 1, `)}]`,
  tags: (n) => times(n, (i) => `k${i}: !t${i} 1\n`),
  directives: (n) => `${times(n, (i) => `%D${i} 1\n`)}---\n`,
  documents: (n) => '---\n'.repeat(n),
  'documents with content': (n) => times(n, (i) => `---\nk${i}: 1\n`),
  'ends of documents': (n) => '...\n'.repeat(n),
  comments: (n) => times(n, (i) => `# ${i}\n`),
  'comments between items': (n) => times(n, (i) => `- 1 # ${i}\n# x\n`),
  'comments between keys': (n) => times(n, (i) => `# x\nk${i}: 1 # y\n`),
  'comments deeper than their key': (n) => `a:\n${times(n, (i) => `${' '.repeat(i % 30)}# x\n`)}`,
  'comments without a blank': (n) => times(n, (i) => `k${i}: "a"#b\n`),
  'blank lines': (n) => `a:\n${' \n'.repeat(n)}b`,
  blanks: (n) => `a:${' '.repeat(n)}\n`,
  'blanks before a mistake': (n) => `a: 1\n${' '.repeat(n)}]\n`,
  tabs: (n) => times(n, (i) => `k${i}:\n\ta: 1\n`),
  'tabs in one line': (n) => `a:\n${'\t'.repeat(n)}b: 1\n`,
  'broken indentation': (n) => times(n, (i) => `${' '.repeat((i * 7) % 13)}k${i}: 1\n`),
  'broken indentation of items': (n) => `a:\n${times(n, (i) => `${' '.repeat(2 + ((i * 7) % 5))}- ${i}\n`)}`,
  'a first line that is indented': (n) => `  a: 1\n${times(n, (i) => `k${i}: 1\n`)}`,
  'lines that are all indented but the last': (n) => `${times(n, (i) => `  k${i}: 1\n`)}a: 1\n`,
  'keys below values': (n) => times(n, (i) => `k${i}: a\n  b: 1\n`),
  'a text of many lines': (n) => `a: ${'b\n  '.repeat(n)}`,
  'texts that go on': (n) => times(n, (i) => `k${i}: a\n  b\n`),
  'a folded text of long lines': (n) => `a: ${`${'b'.repeat(70)}\n  `.repeat(n / 10)}`,
  'a block text': (n) => `a: |\n${'  b\n'.repeat(n)}`,
  'block texts without indentation': (n) => times(n, (i) => `k${i}: |\nb\n`),
  'a long key': (n) => `${'k'.repeat(10 * n)}: 1\n`,
  'a long key of words': (n) => `${'k '.repeat(5 * n)}: 1\n`,
  'a long text': (n) => `a: ${'b'.repeat(10 * n)}\n`,
  'a long text of dots': (n) => `a: ${'•'.repeat(3 * n)}\n`,
  'a long line': (n) => 'a'.repeat(10 * n),
  'a long line of digits': (n) => '1'.repeat(10 * n),
  'a long line of blanks and words': (n) => 'a '.repeat(5 * n),
  'a long line of emoji': (n) => `a: ${'😀'.repeat(2 * n)}\n]`,
  'lines of words': (n) => 'a\n'.repeat(n),
  'merge conflicts': (n) => times(n, (i) => `<<<<<<< HEAD\nk${i}: 1\n=======\nk${i}: 2\n>>>>>>> branch\n`),
  'one merge conflict': (n) => `<<<<<<< HEAD\n${times(n, (i) => `k${i}: 1\n`)}=======\n${times(n, (i) => `k${i}: 2\n`)}>>>>>>> branch\n`,
  'merge keys': (n) => times(n, (i) => `k${i}: { <<: 1 }\n`),
  'keys that are maps': (n) => times(n, () => `{ a: 1 }: 1\n`),
  'keys that are numbers': (n) => times(n, (i) => `${i}: 1\n`),
  'keys that are no names': (n) => times(n, () => `__proto__: 1\n`),
  'control characters': (n) => times(n, () => 'a: \u0001\n'),
  'carriage returns': (n) => 'a: 1\r'.repeat(n),
  'byte order marks': (n) => '\ufeff'.repeat(n),
  'replacement characters': (n) => times(n, (i) => `k${i}: \ufffd\n`),
  secrets: (n) => times(n, (i) => `k${i}: plane_api_${'0123456789abcdef'.repeat(2)}\n`),
  'keys that name secrets': (n) => times(n, (i) => `password${i}: a${i}\n`),
  'texts of base64': (n) => `a: ${'QUJDREVG'.repeat(n)}\n`,
  'addresses with passwords': (n) => times(n, (i) => `k${i}: https://a:b@c\n`),
  'long names with colons': (n) => `a: ${'b:'.repeat(5 * n)}\n`,
  'JSON that is cut off': (n) => `{"version":1,"workspaces":{${times(n, (i) => `"k${i}":{},`)}`,
  'JSON in many lines that is cut off': (n) => `{\n${times(n, (i) => `"k${i}": {},\n`)}`,
  HTML: (n) => `<!DOCTYPE html>\n${times(n, (i) => `<p class="a">${i}: b</p>\n`)}`,
  CSV: (n) => times(n, (i) => `"${i}","b","c: d"\n`),
}

/** `make` for each kind of wrong entry of a list, or of a map. */
const entries = (before: string, after: string, kinds: Readonly<Record<string, (index: number, n: number) => string>>): Mistakes =>
  Object.fromEntries(
    Object.entries(kinds).map(([what, entry]) => [what, (n: number) => `${before}${times(n, (i) => entry(i, n))}${after}`]),
  )

const rulesHead = 'version: 1\nworkspaces:\n  acme:\n    projectRoles:\n'
const rule = (text: string): string => `      - { ${text} }\n`

export const ruleMistakes: Mistakes = {
  ...entries(rulesHead, '', {
    'rules: unknown keys': (i) => rule(`group: g${i}, project: ENG, role: member, x${i}: 1`),
    'rules: misspelt keys': (i) => rule(`grop: g${i}, project: ENG, role: member`),
    'rules: missing keys': () => rule(`group: g`),
    'rules: wrong kinds': (i) => rule(`group: ${i}, project: true, role: [1]`),
    'rules: null': () => rule(`group: , project: , role: `),
    'rules: texts': (i) => `      - g${i}\n`,
    'rules: numbers': (i) => `      - ${i}\n`,
    'rules: empty maps': () => `      - {}\n`,
    'rules: empty items': () => `      -\n`,
    'rules: both of two keys': (i) => rule(`group: g${i}, groupGlob: a*, project: ENG, allProjects: true, role: member`),
    'rules: wrong globs': (i) => rule(`groupGlob: "[a${i}", project: ENG, role: member`),
    'rules: wrong regular expressions': (i) => rule(`groupRegex: "(a${i}", project: ENG, role: member`),
    'rules: regular expressions with lookaround': (i) => rule(`groupRegex: "(?=a${i})", project: ENG, role: member`),
    'rules: costly regular expressions': (i) => rule(`groupRegex: "a{1000}${i % 5}", project: ENG, role: member`),
    'rules: patterns': (i) => rule(`groupGlob: "a${i}-*", project: ENG, role: member`),
    'rules: wrong captures': (i) => rule(`groupRegex: "(?<a>b${i})", project: { capture: c }, role: member`),
    'rules: wrong roles': (i) => rule(`group: g${i}, project: ENG, role: membr`),
    'rules: different wrong roles': (i) => rule(`group: g${i}, project: ENG, role: member${i}`),
    'rules: wrong projects': (i) => rule(`group: g${i}, project: "-${i}", role: member`),
    'rules: wrong dates': (i) => rule(`group: g${i}, project: ENG, role: member, expires: 2027-13-${i}`),
    'rules: dates that are reversed': (i) => rule(`group: g${i}, project: ENG, role: member, starts: 2027-02-01, expires: 2027-01-01`),
    'rules: unknown directories': (i) => rule(`group: g${i}, project: ENG, role: member, from: d${i}`),
    'rules: one unknown directory': (i) => rule(`group: g${i}, project: ENG, role: member, from: crop`),
    'rules: control characters': (i) => rule(`group: "g${i}\\u0007", project: ENG, role: member`),
    'rules: blanks at the edges': (i) => rule(`group: " g${i} ", project: ENG, role: member`),
    'rules: empty names': () => rule(`group: "", project: "", role: ""`),
    'rules: one key with many roles': (i) => rule(`group: g, project: ENG, role: ${i % 2 === 0 ? 'member' : 'guest'}`),
    'rules: each key with two roles': (i, n) => rule(`group: g${i % (n / 2)}, project: ENG, role: ${i < n / 2 ? 'member' : 'guest'}`),
    'rules: one key with many labels': (i) => rule(`group: g, label: l${i}, project: ENG, role: member`),
    'rules: one key that ends again and again': (i) =>
      rule(`group: g, project: ENG, role: member, starts: 2027-01-01T00:00:${String(i % 60).padStart(2, '0')}Z`),
    'rules: one key with many former names': (i) => rule(`group: g, project: ENG, role: member, previously: g${i}`),
    'rules: each a former name': (i) => rule(`group: g${i}, project: ENG, role: member, previously: g${i + 1}`),
    'rules: old words': (i) => rule(`groups: [g${i}], projects: [ENG], role: member`),
    'rules: ended': (i) => rule(`group: g${i}, project: ENG, role: member, expires: 2020-01-01`),
    'rules: key without a blank': (i) => rule(`group:g${i}, project: ENG, role: member`),
    'rules: different mistakes': (i) =>
      rule(
        [`grop: g${i}, role: 1`, `group: ${i}, project: ENG, role: member`, `groupGlob: "[", project: ENG`, `x: ${i}`, 'group: [[a]]'][
          i % 5
        ] as string,
      ),
  }),
  ...entries('version: 1\nworkspaces:\n', '', {
    'workspaces: unknown': (i) => `  w${i}: {}\n`,
    'workspaces: nearly known': (i) => `  acme${'abcdefghij'[i % 10]}${i}: {}\n`,
    'workspaces: texts': (i) => `  w${i}: a\n`,
    'workspaces: null': (i) => `  w${i}:\n`,
    'workspaces: with rules': (i) => `  w${i}: { projectRoles: [{ group: a, project: ENG, role: member }] }\n`,
  }),
  ...entries('version: 1\nworkspaces:\n  acme:\n', '', {
    'keys of a workspace: unknown': (i) => `    k${i}: []\n`,
    'keys of a workspace: misspelt': (i) => `    projectRole${'abcdefghij'[i % 10]}${i}: []\n`,
  }),
  ...entries('version: 1\nworkspaces:\n  acme: {}\n', '', {
    'keys at the top: unknown': (i) => `k${i}: 1\n`,
    'keys at the top: workspaces': (i) => `w${i}: { projectRoles: [] }\n`,
    'keys at the top: misspelt': (i) => `workspace${'abcdefghij'[i % 10]}${i}: {}\n`,
  }),
  ...entries('version: 1\nworkspaces:\n  acme:\n    removed:\n', '', {
    'removed: wrong': () => rule(`group: 1`),
    'removed: twice': (i, n) => rule(`group: g${i % (n / 2)}, project: ENG`),
    'removed: unknown keys': (i) => rule(`group: g, project: ENG, x${i}: 1`),
  }),
  ...entries('version: 1\nworkspaces:\n  acme:\n    unmanaged:\n', '', {
    'unmanaged: wrong': () => rule(`grup: a`),
    'unmanaged: unknown keys': (i) => rule(`group: g, x${i}: 1`),
  }),
  'removed and declared': (n) =>
    `${rulesHead}${times(n / 2, (i) => rule(`group: g${i}, project: ENG, role: member`))}    removed:\n${times(n / 2, (i) => rule(`group: g${i}, project: ENG`))}`,
  'unmanaged and declared': (n) =>
    `${rulesHead}${times(n / 2, (i) => rule(`group: g${i}, project: ENG, role: member`))}    unmanaged:\n${times(n / 2, (i) => rule(`group: g${i}`))}`,
  'unmanaged by a pattern and declared': (n) =>
    `${rulesHead}${times(n, (i) => rule(`group: g${i}, project: ENG, role: member`))}    unmanaged:\n      - { groupGlob: "g*" }\n`,
  'unmanaged in many projects': (n) =>
    `version: 1\nworkspaces:\n  acme:\n    unmanaged:\n${times(n, (i) => rule(`group: g, project: P${i}`))}`,
  'a list of groups: wrong kinds': (n) => `${rulesHead}      - { group: [${times(n, (i) => `${i},`)}], project: ENG, role: member }\n`,
  'a list of groups: one name': (n) => `${rulesHead}      - { group: [${times(n, () => 'a,')}], project: ENG, role: member }\n`,
  'a list of groups: control characters': (n) =>
    `${rulesHead}      - { group: [${times(n, (i) => `"a${i}\\u0007",`)}], project: ENG, role: member }\n`,
  'a list of projects: wrong': (n) => `${rulesHead}      - { group: a, project: [${times(n, (i) => `"-${i}",`)}], role: member }\n`,
  'a list of projects: many': (n) => `${rulesHead}      - { group: a, project: [${times(n, (i) => `P${i},`)}], role: member }\n`,
  'exceptions: wrong': (n) =>
    `${rulesHead}      - { groupGlob: "a*", except: [${times(n, (i) => `${i},`)}], project: ENG, role: member }\n`,
  'exceptions: many': (n) =>
    `${rulesHead}      - { groupGlob: "a*", except: [${times(n, (i) => `a${i},`)}], project: ENG, role: member }\n`,
  'exceptions: not matched': (n) =>
    `${rulesHead}      - { groupGlob: "a*", except: [${times(n, (i) => `b${i},`)}], project: ENG, role: member }\n`,
  'a map of captures: wrong': (n) =>
    `${rulesHead}      - { groupRegex: "(?<a>b)", project: { capture: a, map: { ${times(n, (i) => `k${i}: 1, `)} } }, role: member }\n`,
  'a map of roles: wrong': (n) =>
    `${rulesHead}      - { groupRegex: "(?<a>b)", project: ENG, role: { capture: a, map: { ${times(n, (i) => `k${i}: 1, `)} } } }\n`,
  'a map of roles: unknown': (n) =>
    `${rulesHead}      - { groupRegex: "(?<a>b)", project: ENG, role: { capture: a, map: { ${times(n, (i) => `k${i}: r${i}, `)} } } }\n`,
  'group sync: unknown keys': (n) => `version: 1\nworkspaces:\n  acme:\n    groupSync:\n${times(n, (i) => `      k${i}: true\n`)}`,
  'from: a list of unknown ones': (n) => `version: 1\nfrom: [${times(n, (i) => `d${i},`)}]\nworkspaces: {}\n`,
  'a long glob': (n) => `${rulesHead}${rule(`groupGlob: "${'*a'.repeat(n)}", project: ENG, role: member`)}`,
  'a long glob that is wrong': (n) => `${rulesHead}${rule(`groupGlob: "${'[a'.repeat(n)}", project: ENG, role: member`)}`,
  'a long regular expression': (n) => `${rulesHead}${rule(`groupRegex: "${'(a|b)'.repeat(n)}", project: ENG, role: member`)}`,
  'a long regular expression that is wrong': (n) => `${rulesHead}${rule(`groupRegex: "${'('.repeat(n)}", project: ENG, role: member`)}`,
  'a long name': (n) => `${rulesHead}${rule(`group: "${'a'.repeat(10 * n)}", project: ENG, role: member`)}`,
  'a long name of blanks': (n) => `${rulesHead}${rule(`group: "a${' '.repeat(10 * n)}b", project: ENG, role: member`)}`,
  'a long project': (n) => `${rulesHead}${rule(`group: a, project: "${'A'.repeat(10 * n)}", role: member`)}`,
  'a long role': (n) => `${rulesHead}${rule(`group: a, project: ENG, role: "${'a'.repeat(10 * n)}"`)}`,
  'a long date': (n) => `${rulesHead}${rule(`group: a, project: ENG, role: member, expires: "${'2'.repeat(10 * n)}"`)}`,
  'a long reason': (n) => `${rulesHead}${rule(`group: a, project: ENG, role: member, reason: "${'a '.repeat(5 * n)}"`)}`,
  'a long reason of line ends': (n) => `${rulesHead}${rule(`group: a, project: ENG, role: member, reason: "${'\\n'.repeat(5 * n)}"`)}`,
  'a long owner': (n) => `version: 1\nowner: "${'a'.repeat(10 * n)}"\nworkspaces: {}\n`,
  'waivers: wrong': (n) => `version: 1\nworkspaces:\n  acme:\n    waivers:\n${times(n, (i) => rule(`group: g${i}`))}`,
  'waivers: unknown keys': (n) => `version: 1\nworkspaces:\n  acme:\n    waivers:\n${times(n, (i) => rule(`x${i}: 1`))}`,
}

export const declarationMistakes: Mistakes = { ...syntax, ...ruleMistakes }

const settingsHead =
  'version: 1\ndeclaration: groups\nservice: { baseUrl: "https://plane.example.com", credential: { apiKey: { file: key } } }\nworkspaces: { acme: {} }\n'
const noWorkspaces =
  'version: 1\ndeclaration: groups\nservice: { baseUrl: "https://plane.example.com", credential: { apiKey: { file: key } } }\n'

export const settingsMistakes: Mistakes = {
  ...entries(settingsHead, '', {
    'settings: unknown keys': (i) => `k${i}: 1\n`,
    'settings: misspelt keys': (i) => `directorie${'abcdefghij'[i % 10]}${i}: 1\n`,
  }),
  ...entries(`${settingsHead}directories:\n`, '', {
    'directories: without a kind': (i) => `  d${i}: {}\n`,
    'directories: of an unknown kind': (i) => `  d${i}: { kind: ldpa }\n`,
    'directories: with unknown keys': (i) => `  d${i}: { kind: file, path: a, x${i}: 1 }\n`,
    'directories: of ldap, with mistakes': (i) =>
      `  d${i}: { kind: ldap, addresses: ["http://a"], bind: anonymous, groups: { base: "x${i}" } }\n`,
    'directories: of keycloak, with mistakes': (i) => `  d${i}: { kind: keycloak, baseUrl: 1, realm: [] }\n`,
    'directories: with a secret as a text': (i) =>
      `  d${i}: { kind: okta, baseUrl: "https://a.okta.com", credential: { token: secret${i} } }\n`,
    'directories: texts': (i) => `  d${i}: a\n`,
    'directories: names with blanks': (i) => `  "d ${i}": { kind: file, path: a }\n`,
  }),
  ...entries(`${noWorkspaces}workspaces:\n`, '', {
    'workspaces: without a slug': (i) => `  "w ${i}": {}\n`,
    'workspaces: unknown credentials': (i) => `  w${i}: { credential: c${i} }\n`,
    'workspaces: one slug': (i) => `  w${i}: { slug: a }\n`,
    'workspaces: unknown keys': (i) => `  w${i}: { x: 1 }\n`,
    'workspaces: texts': (i) => `  w${i}: a\n`,
    'workspaces: null': (i) => `  w${i}:\n`,
    'workspaces: wrong slugs': (i) => `  w${i}: { slug: "a b" }\n`,
  }),
  ...entries(
    'version: 1\ndeclaration: groups\nservice:\n  baseUrl: "https://plane.example.com"\n  credentials:\n',
    'workspaces: { acme: { credential: c0 } }\n',
    {
      'credentials: wrong': (i) => `    c${i}: { apiKey: secret${i} }\n`,
      'credentials: not used': (i) => `    c${i}: { apiKey: { file: key${i} } }\n`,
      'credentials: texts': (i) => `    c${i}: secret${i}\n`,
      'credentials: unknown keys': (i) => `    c${i}: { apiKey: { file: key${i} }, x: 1 }\n`,
      'credentials: both': (i) => `    c${i}: { apiKey: { file: key${i}, env: A } }\n`,
    },
  ),
  'credentials and workspaces that name others': (n) =>
    `service:\n  baseUrl: "https://plane.example.com"\n  credentials:\n${times(n / 2, (i) => `    c${i}: { apiKey: { file: key${i} } }\n`)}workspaces:\n${times(n / 2, (i) => `  w${i}: { credential: d${i} }\n`)}`,
  ...entries(`${settingsHead}fences:\n`, '', {
    'fences: wrong': (i) => `  "teams/t${i}/**": {}\n`,
    'fences: unknown keys': (i) => `  "teams/t${i}/**": { owner: t${i}, workspace: acme, x: 1 }\n`,
    'fences: unknown workspaces': (i) =>
      `  "teams/t${i}/**": { owner: t${i}, workspace: w${i}, projectRoles: { projects: [ENG], groups: ["t${i}-*"], roles: [member] } }\n`,
    'fences: wrong paths': (i) =>
      `  "/teams/t${i}/**": { owner: t${i}, workspace: acme, projectRoles: { projects: [ENG], groups: ["t${i}-*"], roles: [member] } }\n`,
    'fences: paths with stars': (i) =>
      `  "**/t${i}/**": { owner: t${i}, workspace: acme, projectRoles: { projects: [ENG], groups: ["t${i}-*"], roles: [member] } }\n`,
    'fences: one owner': (i) =>
      `  "teams/t${i}/**": { owner: t, workspace: acme, projectRoles: { projects: [ENG], groups: ["t${i}-*"], roles: [member] } }\n`,
    'fences: unknown words': (i) =>
      `  "teams/t${i}/**": { owner: t${i}, workspace: acme, projectRoles: { projects: [ENG], groups: [a], roles: [member] }, may: [removd] }\n`,
    'fences: wrong globs': (i) =>
      `  "teams/t${i}/**": { owner: t${i}, workspace: acme, projectRoles: { projects: [ENG], groups: ["[t${i}"], roles: [member] } }\n`,
  }),
  'roles: unknown keys': (n) => `${settingsHead}roles: { ${times(n, (i) => `r${i}: 1, `)} }\n`,
  'roles: an order with one role': (n) => `${settingsHead}roles: { order: [${times(n, () => `member, `)}] }\n`,
  'roles: an order with many roles': (n) => `${settingsHead}roles: { order: [${times(n, (i) => `r${i}, `)}] }\n`,
  'roles: wrong ones in the order': (n) => `${settingsHead}roles: { order: [${times(n, (i) => `"${i} ", `)}] }\n`,
  'roles: many ordinary ones': (n) => `${settingsHead}roles: { ordinary: [${times(n, (i) => `r${i}, `)}] }\n`,
  'roles: aliases in a row': (n) => `${settingsHead}roles: { aliases: { ${times(n, (i) => `r${i}: r${i + 1}, `)} } }\n`,
  'roles: aliases of one role': (n) => `${settingsHead}roles: { aliases: { ${times(n, (i) => `r${i}: member, `)} } }\n`,
  'a schedule: long': (n) => `${settingsHead}schedule: { cron: "${'1,'.repeat(n)}1 * * * *" }\n`,
  'a schedule: of blanks': (n) => `${settingsHead}schedule: { cron: "*${' '.repeat(10 * n)}* * * x" }\n`,
  'a schedule: of stars': (n) => `${settingsHead}schedule: { cron: "${'* '.repeat(n)}" }\n`,
  'an address: long': (n) =>
    `version: 1\ndeclaration: groups\nservice: { baseUrl: "https://${'a.'.repeat(n)}b" }\nworkspaces: { acme: {} }\n`,
  'an address: with slashes': (n) =>
    `version: 1\ndeclaration: groups\nservice: { baseUrl: "https://a${'/'.repeat(n)}" }\nworkspaces: { acme: {} }\n`,
  'protected groups: wrong': (n) => `${settingsHead}guards: { protectedGroups: [${times(n, (i) => `${i}, `)}] }\n`,
  'protected groups: wrong patterns': (n) => `${settingsHead}guards: { protectedGroups: [${times(n, (i) => `{ glob: "[${i}" }, `)}] }\n`,
  'a declaration': (n) =>
    `version: 1\nworkspaces:\n  acme:\n    projectRoles:\n${times(n, (i) => rule(`group: g${i}, project: ENG, role: member`))}`,
  'expected names of a directory: wrong': (n) =>
    `${settingsHead}directories: { d: { kind: entra, tenant: 00000000-0000-0000-0000-000000000000, client: { id: a, secret: { file: s } }, groups: { name: id }, expect: { names: [${times(n, (i) => `g${i}, `)}] } } }\n`,
}

export const directoryMistakes: Mistakes = {
  ...entries('groups:\n', '', {
    'groups: unknown keys': (i) => `  - { name: g${i}, x${i}: 1 }\n`,
    'groups: misspelt keys': (i) => `  - { nmae: g${i} }\n`,
    'groups: wrong kinds': (i) => `  - { name: ${i} }\n`,
    'groups: texts': (i) => `  - g${i}\n`,
    'groups: null': () => `  -\n`,
    'groups: one id': (i) => `  - { name: g${i}, id: a }\n`,
    'groups: each id twice': (i, n) => `  - { name: g${i}, id: i${i % (n / 2)} }\n`,
    'groups: ids that are names': (i, n) => (i < n / 2 ? `  - { name: g${i} }\n` : `  - { name: h${i}, id: g${i - n / 2} }\n`),
    'groups: one name': () => `  - { name: a, members: [b] }\n`,
    'groups: one name, without members': () => `  - { name: a }\n`,
    'groups: people and members': (i) => `  - { name: g${i}, people: 1, members: [a] }\n`,
    'groups: negative people': (i) => `  - { name: g${i}, people: -1 }\n`,
    'groups: wrong members': (i) => `  - { name: g${i}, members: [""] }\n`,
    'groups: long names': (i) => `  - { name: ${'a'.repeat(300)}${i} }\n`,
    'keys of the file: unknown': (i) => `k${i}: 1\n`,
  }),
  'members: wrong': (n) => `groups:\n  - { name: a, members: [${times(n, (i) => `${i},`)}] }\n`,
  'members: empty': (n) => `groups:\n  - { name: a, members: [${times(n, () => `"",`)}] }\n`,
  'members: one person': (n) => `groups:\n  - { name: a, members: [${times(n, () => `a@b,`)}] }\n`,
  'a long name': (n) => `groups:\n  - { name: "${'a'.repeat(10 * n)}" }\n`,
  'a long member': (n) => `groups:\n  - { name: a, members: ["${'a '.repeat(5 * n)}\\u0007"] }\n`,
}

export const stateMistakes: Mistakes = {
  ...syntax,
  ...entries('workspaces:\n  acme:\n    projects:\n', '', {
    'projects: unknown keys': (i) => `      - { identifier: P${i}, x${i}: 1 }\n`,
    'projects: numbers': (i) => `      - ${i}\n`,
    'projects: twice': (i, n) => `      - P${i % (n / 2)}\n`,
    'projects: one': () => `      - ENG\n`,
    'projects: too long': (i) => `      - PROJECTPROJECT${i}\n`,
    'projects: wrong members': (i) => `      - { identifier: P${i}, members: [1] }\n`,
  }),
  ...entries('workspaces:\n  acme:\n    projects: [ENG]\n    projectMappings:\n', '', {
    'mappings: unknown projects': (i) => `      - { idp_group_name: g${i}, project: P${i}, role: member }\n`,
    'mappings: unknown keys': (i) => `      - { idp_group_name: g${i}, project: ENG, role: member, x: 1 }\n`,
    'mappings: without a target': (i) => `      - { idp_group_name: g${i}, role: member }\n`,
    'mappings: one id': () => `      - { id: 00000000-0000-4000-8000-000000000000, idp_group_name: g, project: ENG, role: member }\n`,
  }),
  ...entries('workspaces:\n', '', {
    'workspaces: unknown keys': (i) => `  w${i}: { x: 1 }\n`,
    'workspaces: texts': (i) => `  w${i}: a\n`,
  }),
  ...entries('keys:\n', '', {
    'keys: one value': () => `  - { value: a }\n`,
    'keys: unknown workspaces': (i) => `  - { value: k${i}, workspaces: [w${i}] }\n`,
    'keys: unknown keys': (i) => `  - { value: k${i}, x: 1 }\n`,
    'keys: wrong limits': (i) => `  - { value: k${i}, limit: x }\n`,
  }),
  ...entries('users:\n', '', {
    'users: one name': () => `  - { name: a }\n`,
    'users: numbers': (i) => `  - ${i}\n`,
  }),
  ...entries('tokens:\n', '', {
    'tokens: unknown applications': (i) => `  - { value: t${i}, clientId: c${i}, scopes: [], expiresAt: 0 }\n`,
  }),
}

/** A list, or a map, at the place that a reader of JSON looks at. */
const inJson = (before: string, after: string): Mistakes => ({
  [`${before}: unknown keys`]: (n) => `${before}{${times(n, (i) => `"k${i}":1,`)}"z":1}${after}`,
  [`${before}: a list of numbers`]: (n) => `${before}[${times(n, (i) => `${i},`)}1]${after}`,
  [`${before}: a list of maps`]: (n) => `${before}[${times(n, (i) => `{"a${i}":1},`)}{}]${after}`,
  [`${before}: one name again and again`]: (n) => `${before}[${times(n, () => `{"workspace":"a","kind":"x","key":"a"},`)}{}]${after}`,
  [`${before}: deep nesting`]: (n) => `${before}${'['.repeat(n)}${']'.repeat(n)}${after}`,
  [`${before}: cut off`]: (n) => `${before}[${times(n, (i) => `${i},`)}`,
  [`${before}: a long text`]: (n) => `${before}"${'a b\\n'.repeat(n)}"${after}`,
})

export const jsonMistakes: Mistakes = {
  ...inJson('', ''),
  ...inJson('{"format":"plane-group-sync/plan","version":3,"workspaces":', '}'),
  ...inJson('{"format":"plane-group-sync/last","version":1,"workspaces":', '}'),
  ...inJson('{"format":"plane-group-sync/last","version":1,"approvals":', '}'),
  ...inJson('{"format":"plane-group-sync/last","version":1,"findings":', '}'),
  ...inJson('{"order":', '}'),
  ...inJson('{"order":{"kind":"approve","approvals":', '}}'),
  ...inJson('{"order":{"kind":"cycle","allow":', '}}'),
  ...inJson('{"entry":"', '"}'),
  ...inJson('{"entry":"intent","change":', '}'),
  ...inJson('{"entry":"projects","projects":', '}'),
  ...inJson('{"format":2,"memory":', '}'),
  ...inJson('{"format":2,"memory":{"applied":', '}}'),
}
