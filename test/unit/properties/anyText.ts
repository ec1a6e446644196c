import * as fc from 'fast-check'

/** Hostile text from outside: control and direction characters, lone surrogates, parts of escape sequences. */
export const outside: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('\u001B', '[31m', '\n', '\r', '\u202E', '\uD800', '\u0085', '\u2028', 'a', ' ', '界'), maxLength: 12 }),
  fc.constantFrom('devs', '', '__proto__', 'x'.repeat(300)),
)

const signs = [
  ...'#"\'\\,[]{}&*!|>%@`~?=/:-_.\n\t\r\u0085\u2028\u202E\uFEFF\u001B\uD800'.split(''),
  ' ',
  ': ',
  ' #',
  '- ',
  '---',
  '...',
  '\\n',
  '<<',
  '${x}',
]
const letters = ['a', 'Z', 'é', '日', '😀', 'no', 'on', '1e3', '0', '7']

/** Texts that some YAML parsers do not read as a string. */
const others = fc.constantFrom(
  ...[
    'null',
    'true',
    'yes',
    'y',
    'No',
    'OFF',
    '~',
    '-',
    '?',
    '1',
    '+1',
    '-0',
    '0x1f',
    '0o17',
    '1e3',
    '.inf',
    '-.Inf',
    '.nan',
    '1_000',
    '190:20:30',
  ],
  ...[
    '2027-01-31',
    '12:30:00',
    '2001-12-14t21:59:43.10-05:00',
    '<<',
    '=',
    '!!str',
    '*a',
    '&a',
    '%YAML',
    '---',
    '...',
    '[]',
    '{}',
    '""',
    "''",
    '|',
    '>-',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    ' a',
    'a ',
    'a\nb',
    'a\n\n b',
    '\n',
    'a:',
    ':a',
    'a #b',
    '#a',
    'a\\',
    '"',
    "it's",
    'CN=Ops\\, Global,OU=x',
  ],
)

/** Names that `export` must print: characters with a meaning in YAML at every place of a name, and names around the maximum length. */
export const nastyName: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...signs, ...letters), minLength: 1, maxLength: 8 }),
  others,
  fc.tuple(fc.constantFrom('', ...signs), others, fc.constantFrom('', ...signs)).map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom(...letters, ' ', '\n'), fc.integer({ min: 250, max: 257 }))
    .map(([unit, length]) => Array.from({ length }, () => unit).join('')),
)
