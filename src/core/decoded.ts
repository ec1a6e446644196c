/** A text as it can be read. A unit stands in the original text from its start to before its end; without these at its own place. */
export type TextReading = { readonly units: Uint16Array; readonly starts?: Int32Array; readonly ends?: Int32Array }

type Decoded = TextReading & { readonly hasQuoted: boolean; readonly hasDoubled: boolean }

/** How backslashes before an escape are read. `doubled`: of several texts inside one another; `single`: of one; `left`: they can also be left inside `&#x5f;`. */
type Backslashes = 'doubled' | 'single' | 'left'

/**
 * A text as it is, and as its encodings decode it. `=` stands before many values that are not quoted-printable (`?key=ab12`), and several backslashes before an escape
 * can be of one text or of several inside one another. So all are tried where they occur. What is read is only compared, never shown.
 */
export function readingsOf(text: string): readonly TextReading[] {
  const plain = { units: new Uint16Array(text.length) }
  for (let at = 0; at < text.length; at++) plain.units[at] = comparable(text.charCodeAt(at))
  if (!/[%&=\\\u200B]/.test(text)) return [plain]
  const decoded = decodedReadings(text, false)
  return [plain, ...decoded, ...(decoded[0].hasQuoted ? decodedReadings(text, true) : [])]
}

function decodedReadings(text: string, isQuoted: boolean): readonly [Decoded, ...Decoded[]] {
  const decoded = read(text, isQuoted, 'doubled')
  return decoded.hasDoubled ? [decoded, read(text, isQuoted, 'single'), read(text, isQuoted, 'left')] : [decoded]
}

const codeOf = (character: string): number => character.charCodeAt(0)
const [percent, ampersand, equals, backslash, semicolon, openBrace, closeBrace] = Array.from('%&=\\;{}', codeOf)
const [smallN, smallR, smallU, smallX, largeU, plus, zeroWidthSpace] = Array.from('nruxU+\u200B', codeOf)
const [lineFeed, carriageReturn, numberSign] = [0x0a, 0x0d, 0x23]
/** No encoding is longer, once those inside it are decoded. So many zeros stand before the text, and each look back ends. */
const lengthMax = 64

/**
 * Known encodings: percent (`%5F`, `%u005F`), entities of HTML (`&amp;`, `&#95;`, `&#x5f;`), backslashes (`\n`, `\"`, `\x5f`, `\u005f`, `\u{5f}`), and quoted-printable
 * (`=5F`, and a line break after `=`).
 *
 * The units are put on a stack. An encoding at its end is replaced by what it stands for, which may complete another encoding. So encodings inside one
 * another are decoded in any order and to any depth. Each replacement makes the stack shorter, so the time is linear for any text.
 *
 * Other backslashes are left out, because each JSON text inside another doubles them. A control character counts as the letter that stands for it
 * after a backslash, so `\n` equals both a line break and a backslash with an `n`.
 */
function read(text: string, isQuoted: boolean, backslashes: Backslashes): Decoded {
  /** A byte that is not ASCII is negative, until it becomes part of a character in UTF-8. */
  const codes = new Int32Array(lengthMax + text.length)
  const starts = new Int32Array(codes.length)
  const ends = new Int32Array(codes.length)
  /** How many escapes with backslashes a unit went through. */
  const layers = new Uint8Array(codes.length)
  /** Most lines of a log have only backslashes before quotes. */
  const mayEncode = /[%&=\u200B]|\\[uUx]/.test(text)
  let top = lengthMax
  let [hasQuoted, hasDoubled] = [false, false]

  /** Replaces the last units by a character, or by nothing. */
  function replace(count: number, code?: number, more = 0): true {
    const [start, end] = [starts[top - count]!, ends[top - 1]!]
    let layer = 0
    for (const last = top - count; top > last; top--) layer = Math.max(layer, layers[top - 1]!)
    const units = code === undefined ? [] : code > 0xffff ? [0xd800 + ((code - 0x10000) >> 10), 0xdc00 + (code & 0x3ff)] : [code]
    for (const unit of units) {
      codes[top] = unit
      starts[top] = start
      layers[top] = Math.min(layer + more, 255)
      ends[top++] = end
    }
    return true
  }
  const replaceByByte = (count: number, byte: number) => replace(count, byte < 0x80 ? byte : -byte)
  const quoted = (count: number, byte?: number): boolean => {
    hasQuoted = true
    return isQuoted && (byte === undefined ? replace(count) : replaceByByte(count, byte))
  }
  /**
   * Replaces what a backslash begins. Each JSON text around it doubles the backslashes before it. When these are halved until their number is odd, the last one begins the
   * encoding, and each two others stand for a backslash. Those that went through other escapes are of another text.
   */
  function escaped(count: number, code: number): true {
    const own = top - count
    if (backslashes !== 'doubled') return replace(count, code, 1)
    let run = 1
    while (codes[own - run] === backslash && layers[own - run] === layers[own]) run++
    hasDoubled ||= run > 1
    const kept = (run / (run & -run) - 1) / 2
    layers.fill(layers[own]! + 1, own - run + 1, own - run + 1 + kept)
    return replace(count + run - 1 - kept, code, 1)
  }
  /** The place before another one. Backslashes between them may be left from an encoding. */
  function before(at: number): number {
    do at--
    while (codes[at] === backslash && top - at < lengthMax)
    return at
  }

  /** The number that the last digits give. Backslashes and a brace between them are passed over. */
  function hexFrom(at: number): number {
    let value = 0
    for (let next = at; next < top; next++) {
      const digit = digitOf(codes[next]!)
      if (digit < 16) value = value * 16 + digit
    }
    return value
  }

  function endsHex(): boolean {
    let at = top - 1
    let digits = 0
    while (digits <= 8 && digitOf(codes[at]!) < 16) {
      digits++
      at = codes[at - 1] === backslash ? before(at) : at - 1
    }
    const lead = codes[at]
    if (lead !== percent && lead !== equals && lead !== smallU && lead !== smallX && lead !== largeU) return false
    const count = top - at
    const value = hexFrom(at + 1)
    if (digits === 2 && lead === equals) return quoted(count, value)
    if (digits === 2 && lead === percent) return replaceByByte(count, value)
    if (digits === 4 && lead === smallU && codes[at - 1] === percent) return replace(count + 1, value)
    if (codes[at - 1] !== backslash) return false
    // With a backslash that is left in it, `&#x` begins an entity.
    if (digits === 2 && lead === smallX && (backslashes !== 'left' || codes[before(at)] !== numberSign))
      return escaped(count + 1, value < 0x80 ? value : -value)
    return (digits === 4 ? lead === smallU : digits === 8 && lead === largeU && value <= 0x10ffff) && escaped(count + 1, value)
  }

  function endsBraces(): boolean {
    let at = before(top - 1)
    for (let digits = 0; digits <= 8 && digitOf(codes[at]!) < 16; digits++) at = before(at)
    if (codes[at] !== openBrace) return false
    const value = hexFrom(at + 1)
    if (value > 0x10ffff) return false
    at = before(at)
    return codes[at] === smallU && codes[at - 1] === backslash && escaped(top - at + 1, value)
  }

  function endsEntity(): boolean {
    let at = before(top - 1)
    let content = ''
    for (; top - at < lengthMax && isOfEntity(codes[at]!); at = before(at)) content = String.fromCharCode(codes[at]!) + content
    const code = codes[at] === ampersand ? entityOf(content) : undefined
    return code !== undefined && replace(top - at, code)
  }

  /** A line break may itself be written with backslashes, and a text that was folded has a blank for it. */
  function endsBreak(last: number): boolean {
    if (last === smallN && codes[top - 2] !== backslash) return false
    let at = before(top - 1)
    const isReturn = codes[at] === carriageReturn || (codes[at] === smallR && codes[at - 1] === backslash)
    if (isReturn && (last === smallN || last === lineFeed)) at = before(at)
    return codes[at] === equals && quoted(top - at)
  }

  function endsCharacter(): boolean {
    let [at, length, code] = [top - 1, 1, 0]
    for (; length < 4 && codes[at]! < 0 && -codes[at]! < 0xc0; at = before(at)) code += (-codes[at]! & 0x3f) << (6 * (length++ - 1))
    const lead = -codes[at]!
    if (length !== (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0)) return false
    code += (lead & (0x7f >> length)) << (6 * (length - 1))
    return code <= 0x10ffff && replace(top - at, code)
  }

  function endsEncoding(): boolean {
    const last = codes[top - 1]!
    if (last < 0) return endsCharacter()
    if (digitOf(last) < 16) return endsHex()
    if (last === smallN || last === lineFeed || last === 0x20 || last === 0x09 || last === plus) return endsBreak(last)
    if (last === semicolon) return endsEntity()
    if (last === closeBrace) return endsBraces()
    // Renderings put it after characters that have a meaning in Markdown.
    return last === zeroWidthSpace && replace(1)
  }

  for (let at = 0; at < text.length; at++) {
    codes[top] = text.charCodeAt(at)
    starts[top] = at
    layers[top] = 0
    ends[top++] = at + 1
    if (mayEncode) while (canEnd(codes[top - 1]!) && endsEncoding());
  }

  const units = new Uint16Array(top - lengthMax)
  let length = 0
  /** Where backslashes begin that stand before the next unit. */
  let opened = -1
  for (let at = lengthMax; at < top; at++) {
    const code = codes[at]!
    if (opened < 0) opened = starts[at]!
    if (code === backslash) continue
    units[length] = code < 0 ? -code : comparable(code)
    starts[length] = opened
    ends[length++] = ends[at]!
    opened = -1
  }
  return { units: units.subarray(0, length), starts, ends, hasQuoted, hasDoubled }
}

/** A control character → the letter that stands for it after a backslash. A blank equals `+`, as in forms. */
const controls = Array.from({ length: 0x21 }, (_, code) =>
  code === 0x20 ? plus! : code >= 7 && code <= 13 ? codeOf('abtnvfr'[code - 7]!) : code,
)
controls[0x1b] = codeOf('e')

const comparable = (code: number): number => (code < controls.length ? controls[code]! : code)

/** Whether a unit can be the last of an encoding. */
const canEnd = (code: number): boolean => (code >= 0 && code < endings.length ? endings[code] === 1 : code < 0 || code === zeroWidthSpace)

/** The value of a digit or letter in either case; at least 36 for any other. */
const digitOf = (code: number): number => (code >= 0 && code < digits.length ? digits[code]! : 36)
const digits = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 36)
  return Number.isNaN(value) ? 36 : value
})

const isOfEntity = (code: number): boolean => code === numberSign || digitOf(code) < 36

/** The character of an entity, without its `&` and `;`. */
function entityOf(content: string): number | undefined {
  const [, hex, decimal] = /^#(?:x([\da-f]+)|(\d+))$/i.exec(content) ?? []
  const code = hex !== undefined ? Number.parseInt(hex, 16) : decimal !== undefined ? Number(decimal) : named.get(content)
  return code !== undefined && code <= 0x10ffff ? code : undefined
}

/** The names of HTML for the characters of ASCII, and of Latin-1 from 160 on. */
const ascii =
  'Tab:9 NewLine:10 excl:33 quot:34 QUOT:34 num:35 dollar:36 percnt:37 amp:38 AMP:38 apos:39 lpar:40 rpar:41 ast:42 midast:42 plus:43 comma:44 period:46 sol:47 colon:58 semi:59 lt:60 LT:60 equals:61 gt:62 GT:62 quest:63 commat:64 lsqb:91 lbrack:91 bsol:92 rsqb:93 rbrack:93 Hat:94 lowbar:95 UnderBar:95 grave:96 DiacriticalGrave:96 lcub:123 lbrace:123 verbar:124 vert:124 VerticalLine:124 rcub:125 rbrace:125'
const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
const named: ReadonlyMap<string, number> = new Map([
  ...ascii.split(' ').map((entry): [string, number] => [entry.split(':')[0]!, Number(entry.split(':')[1])]),
  ...latin1.split(' ').map((name, index): [string, number] => [name, 160 + index]),
])
const endings = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[\da-f\t\n +;n}]/i.test(String.fromCharCode(code)) && code !== codeOf('N') ? 1 : 0,
)
