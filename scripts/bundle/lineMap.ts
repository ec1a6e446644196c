import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec'

type Mapped = { readonly mappings: string; readonly names: readonly string[] }

/**
 * The source map with the first place of each line of the source only: a stack shows lines of the source, and such a map has a fifth of the size. The format:
 * https://tc39.es/ecma426/
 */
export function lineMap<T extends Mapped>(map: T): T {
  const lines = decode(map.mappings).map(firstOfEachLine)
  return { ...map, names: [], mappings: encode(lines) }
}

function firstOfEachLine(segments: readonly SourceMapSegment[]): SourceMapSegment[] {
  let last = ''
  return segments.flatMap((segment): SourceMapSegment[] => {
    const [column, source, line, sourceColumn] = segment
    const place = `${source} ${line}`
    if (place === last) return []
    last = place
    return source === undefined || line === undefined || sourceColumn === undefined ? [[column]] : [[column, source, line, sourceColumn]]
  })
}
