/** A picture of what a terminal shows, as SVG. It has no script and asks for nothing. */

const [cellX, cellY, edge, fontSize] = [7.83, 18, 16, 13] as const
/** The colours of Select Graphic Rendition on a dark ground. Each has a contrast of at least 4.5 to it. */
const ground = '#16181d'
const plain = '#e6e6e6'
const colours: Readonly<Record<string, string>> = {
  31: '#ff8a80',
  32: '#8fd694',
  33: '#f2c94c',
  34: '#8ab4f8',
  35: '#e0a3ff',
  36: '#7fd7e8',
  90: '#a0a4ab',
}

/**
 * @param text lines with the escape sequences of colours
 * @param title says in words what the picture shows
 */
export function terminalSvg(text: string, title: string): string {
  const lines = text.trimEnd().split('\n')
  const columns = Math.max(...lines.map((line) => Array.from(line.replaceAll(escapes, '')).length))
  const [width, height] = [Math.ceil(columns * cellX + 2 * edge), lines.length * cellY + 2 * edge]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${title}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${ground}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${fontSize}" fill="${plain}">`,
    ...lines.flatMap((line, index) => {
      const y = edge + index * cellY + fontSize
      return line === '' ? [] : `<text y="${y}">${spans(line).join('')}</text>`
    }),
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

const escapes = new RegExp(String.raw`\u001b\[([\d;]*)m`, 'g')

/** The parts of a line. Each begins at its column, whatever width the font gives to the signs before it. */
function spans(line: string): readonly string[] {
  const parts: string[] = []
  let [at, style] = [0, { fill: '', weight: '' }]
  for (const [index, part] of line.split(escapes).entries()) {
    if (index % 2 === 1) style = styled(style, part)
    else if (part !== '') {
      const attributes = [style.fill === '' ? '' : ` fill="${style.fill}"`, style.weight === '' ? '' : ' font-weight="bold"'].join('')
      parts.push(`<tspan x="${(edge + at * cellX).toFixed(1)}"${attributes}>${escaped(part)}</tspan>`)
      at += Array.from(part).length
    }
  }
  return parts
}

function styled(style: { fill: string; weight: string }, codes: string): { fill: string; weight: string } {
  let { fill, weight } = style
  for (const code of codes === '' ? ['0'] : codes.split(';')) {
    if (code === '0') [fill, weight] = ['', '']
    if (code === '1') weight = 'bold'
    if (code === '2') fill = colours['90'] ?? ''
    if (code === '22') weight = ''
    if (code === '39') fill = ''
    fill = colours[code] ?? fill
  }
  return { fill, weight }
}

/** SVG would join blanks that follow each other. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', '\u00a0')
