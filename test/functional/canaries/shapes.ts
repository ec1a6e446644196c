/** A secret that no file of this project has: small letters, capitals and digits, as keys have them. */
export const canary = 'Canary7f3a9Q'
/** A secret that YAML reads as a number. */
export const number = '7319460281'

/** A wrong value at a place. `text` comes after the `:` of its key. `indent` is the indent of its key. */
export type Shape = {
  readonly name: string
  readonly text: (secret: string, indent: string) => string
  /** Whether a flow map may contain it. */
  readonly isLine: boolean
}

const one = (name: string, text: Shape['text']): Shape => ({ name, text, isLine: !text('', '').includes('\n') })

/** Shapes on the line of their key. A flow map may contain them, too. */
const scalars: readonly Shape[] = [
  one('plain', (c) => c),
  one('in double quotes', (c) => `"${c}"`),
  one('in single quotes', (c) => `'${c}'`),
  one('with an escape', (c) => `"${c.slice(0, 3)}\\x${'a'.charCodeAt(0).toString(16)}${c.slice(4)}"`),
  one('with an escape and a quote', (c) => `"\\"${c}\\" \\u0020"`),
  one('as a key of Plane', (c) => `plane_api_${c}`),
  one('in two words', (c) => `${c} ${c}`),
  one('before a comment', (c) => `${c} # ${c}`),
  one('in a comment', (c) => `x # was ${c}`),
  one('in a list', (c) => `[${c}]`),
  one('in a list of lists', (c) => `[[a, "${c}"]]`),
  one('as a value', (c) => `{ value: ${c} }`),
  one('beside a reference', (c) => `{ file: key, value: ${c} }`),
  one('beside a variable', (c) => `{ env: KEY, ${c}: x }`),
  one('as the other reference', (c) => `{ file: key, env: ${c} }`),
  one('as both references', (c) => `{ file: ${c}, env: ${c} }`),
  one('as the name of a variable', (c) => `{ env: ${c} }`),
  one('as the name of a file', (c) => `{ file: ${c} }`),
  one('as the name of a file, with a NUL', (c) => `{ file: "\\0${c}" }`),
  one('in a reference that is a list', (c) => `{ file: [${c}] }`),
  one('deep in a reference', (c) => `{ file: { a: { b: ${c} } } }`),
  one('with a slip in the key', (c) => `{ flie: ${c} }`),
  one('as a key', (c) => `{ ${c}: x }`),
  one('as a key without a value', (c) => `{ ${c} }`),
  one('as a key that is marked', (c) => `{ ? ${c} : x }`),
  one('as a key that is there twice', (c) => `{ ${c}: x, ${c}: y }`),
  one('twice under one key', (c) => `{ file: ${c}, file: ${c} }`),
  one('with an anchor', (c) => `&a ${c}`),
  one('as an anchor', (c) => `&${c} x`),
  one('as an alias', (c) => `*${c}`),
  one('with a tag', (c) => `!secret ${c}`),
  one('as a tag', (c) => `!${c} x`),
  one('as a tag alone', (c) => `!${c}`),
  one('as a tag of YAML', (c) => `!!${c} x`),
  one('as a whole tag', (c) => `!<${c}> x`),
  one('after an at sign', (c) => `@${c}`),
  one('after a grave accent', (c) => `\`${c}`),
  one('after a percent sign', (c) => `%${c}`),
  one('after a comma', (c) => `,${c}`),
  one('after a closing bracket', (c) => `]${c}`),
  one('after a closing brace', (c) => `}${c}`),
  one('after a dash', (c) => `- ${c}`),
  one('after a question mark', (c) => `? ${c}`),
  one('after a pipe', (c) => `|${c}`),
  one('after a pipe and a blank', (c) => `| ${c}`),
  one('after an angle', (c) => `>${c}`),
  one('with a colon', (c) => `a: ${c}`),
  one('before a colon', (c) => `${c}: x`),
  one('in an open double quote', (c) => `"${c}`),
  one('in an open single quote', (c) => `'${c}`),
  one('after a closed quote', (c) => `"a" ${c}`),
  one('in an open brace', (c) => `{ file: ${c}`),
  one('in an open bracket', (c) => `[${c}`),
  one('with a bad escape', (c) => `"\\${c}"`),
  one('with a bad hexadecimal escape', (c) => `"\\x${c}"`),
  one('after a tab', (c) => `\t${c}`),
  one('with a control character', (c) => `${c}\u0007${c}`),
  one('with a NUL', (c) => `"${c}\0"`),
  one('with a carriage return', (c) => `${c}\r${c}`),
  one('with a line separator', (c) => `"${c}\u2028${c}"`),
  one('after a document mark', (c) => `--- ${c}`),
  one('in a long line', (c) => `"${'x'.repeat(300)}${c}${'x'.repeat(300)}"`),
]

/** Shapes of several lines. */
const blocks: readonly Shape[] = [
  one('in the next line', (c, i) => `\n${i}  ${c}`),
  one('in the next line, not indented', (c) => `\n${c}`),
  one('in the next line, as deep as the key', (c, i) => `\n${i}${c}`),
  one('in a block', (c, i) => `|\n${i}  first\n${i}  ${c}\n${i}  ${c}: x`),
  one('in a folded block', (c, i) => `>-\n${i}  ${c}\n\n${i}  ${c}`),
  one('in a block with a hint', (c, i) => `|2-\n${i}  ${c}`),
  one('in a block that is not indented', (c) => `|\n${c}`),
  one('in a block that reads like settings', (c, i) => `|\n${i}  file: ${c}\n${i}  version: ${c}`),
  one('in a block with a tab', (c, i) => `|\n${i}\t${c}`),
  one('in lines of a plain text', (c, i) => `a\n${i}  ${c}\n${i}  ${c}`),
  one('in lines of a quoted text', (c, i) => `"a\n${i}  ${c}\n\n${i}  ${c}"`),
  one('in lines of a quoted text that begin with keys', (c) => `"a\nversion: ${c}\n  file: ${c}"`),
  one('in lines of an open text', (c, i) => `"a\n${i}  ${c}\nfile: ${c}`),
  one('in lines of a list', (c, i) => `[\n${i}  a,\n${i}  ${c}`),
  one('in a list of lines', (c, i) => `\n${i}  - a\n${i}  - ${c}`),
  one('in a list of lines as deep as the key', (c, i) => `\n${i}- a\n${i}- ${c}`),
  one('in a map of lines', (c, i) => `\n${i}  file: key\n${i}  value: ${c}`),
  one('in a map of lines, too deep', (c, i) => `\n${i}   file: key\n${i}  value: ${c}`),
  one('in a map of lines, with a tab', (c, i) => `\n${i}  file: key\n\tvalue: ${c}`),
  one('as a key of lines', (c, i) => `\n${i}  ${c}:\n${i}    x: 1`),
  one('in a private key', (c, i) => `|\n${i}  -----BEGIN PRIVATE KEY-----\n${i}  ${c}\n${i}  -----END PRIVATE KEY-----`),
]

export const shapes: readonly Shape[] = [...scalars, ...blocks]

/** Addresses with a password, and similar addresses. */
export const addresses: readonly Shape[] = [
  one('userinfo', (c) => `https://u:${c}@host.example`),
  one('userinfo in quotes', (c) => `"https://u:${c}@host.example/a?b=c#d"`),
  one('userinfo in single quotes', (c) => `'https://u:${c}@host.example'`),
  one('userinfo of LDAP', (c) => `ldaps://u:${c}@host.example:636`),
  one('userinfo of another scheme', (c) => `postgres+tls://u:${c}@host.example`),
  one('userinfo without a name', (c) => `https://:${c}@host.example`),
  one('userinfo without a password', (c) => `https://${c}@host.example`),
  one('userinfo with an at sign', (c) => `https://u:a@${c}@host.example`),
  one('userinfo with a slash', (c) => `https://u:a/${c}@host.example`),
  one('userinfo with a quote', (c) => `https://u:a"${c}@host.example`),
  one('userinfo with percent signs', (c) => `https://u:${c}%40x%2F@host.example`),
  one('userinfo, all percent-encoded', (c) => `https%3A%2F%2Fu%3A${c}%40host.example`),
  one('userinfo, in small letters', (c) => `https%3a%2f%2fu%3a${c}%40host.example`),
  one('userinfo with an escape', (c) => `"https://u:${c}\\x40host.example"`),
  one('userinfo and blanks', (c) => `"https://u:${c} ${c}@host.example"`),
  one('userinfo after backslashes', (c) => `https:\\\\u:${c}@host.example`),
  one('userinfo in capitals', (c) => `HTTPS://u:${c}@host.example`),
  one('a parameter', (c) => `https://host.example/?access_token=${c}&a=b`),
]
