import { parseJson } from '../../http/json.ts'
import type { Answer, Request } from '../../http/origin.ts'
import {
  fieldsOfNumbers,
  fieldsRead,
  headersRead,
  parametersKnown,
  parametersOfNumbers,
  parameterWords,
  scimSchemaName,
  vendorWords,
  wordsOfPaths,
} from './fields.ts'

/** A request to a directory and its answer, without values that say something about a company. */
export type Exchange = {
  readonly server: string
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** What is left of the JSON; undefined if the body is none. */
  readonly body: unknown
}

/** `url`: the address of the server that was asked. */
type Heard = { readonly url: URL; readonly request: Pick<Request, 'method' | 'path' | 'query'>; readonly answer: Answer }

/** A list shows its first items; the others are counted. */
const itemsMax = 3
/** A server may send lists in lists without an end. */
const depthMax = 12

/**
 * Reduces answers to their shape. Equal texts get equal names over all of them, so that it is visible which value comes again. Kept are truth values, words
 * of the vendor, numbers that count something, and the names of known parameters and fields.
 */
export function openShapes(): (heard: Heard) => Exchange {
  const names = new Map<string, string>()
  const named = (kind: string, text: string): string => {
    const known = names.get(text)
    if (known !== undefined) return known
    const name = nameFor(kind, names.size + 1)
    names.set(text, name)
    return name
  }

  const parameters = (all: Iterable<readonly [string, string]>): readonly (readonly [string, string])[] =>
    Array.from(all, ([name, value]) => [parametersKnown.has(name) ? name : named('parameter', name), parameter(name, value)])
  function parameter(name: string, value: string): string {
    if (parametersOfNumbers.has(name) && /^\d{1,6}$/.test(value)) return value
    return value.split(',').every((part) => parameterWords.has(part) || fieldsRead.has(part)) ? value : named('text', value)
  }
  const pathShape = (path: string): string =>
    path
      .split('/')
      .map((segment) => (segment === '' || wordsOfPaths.has(segment) ? segment : named('id', decoded(segment))))
      .join('/')

  function linkShape(link: string): string {
    if (!URL.canParse(link)) return named('text', link)
    const url = new URL(link)
    const query = parameters(url.searchParams)
      .map(([name, value]) => `${name}=${value}`)
      .join('&')
    return `${named('server', url.origin)}${pathShape(url.pathname)}${query === '' ? '' : `?${query}`}`
  }

  function textShape(text: string): string {
    if (vendorWords.has(text) || scimSchemaName.test(text)) return text
    if (/^https?:\/\//.test(text)) return linkShape(text)
    if (/^[^@\s]+@[^@\s]+$/.test(text)) return named('address', text)
    return named(/^[0-9a-f-]{32,36}$/i.test(text) ? 'id' : 'text', text)
  }

  function shapeOf(value: unknown, field: string, depth: number): unknown {
    if (depth > depthMax) return 'deeper'
    if (typeof value === 'string') return textShape(value)
    if (typeof value === 'number') return fieldsOfNumbers.has(field) ? value : named('number', `${value}`)
    if (Array.isArray(value)) {
      const shown = value.slice(0, itemsMax).map((one) => shapeOf(one, field, depth + 1))
      return value.length > itemsMax ? [...shown, `${value.length - itemsMax} more`] : shown
    }
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, one]) => (fieldsRead.has(name) ? [[name, shapeOf(one, name, depth + 1)] as const] : [])),
    )
  }

  function headerShape(name: string, value: string): string | undefined {
    if (name === 'link')
      return Array.from(
        value.matchAll(/<([^>]*)>;\s*rel="?(next|self)"?/g),
        ([, link = '', rel]) => `<${linkShape(link)}>; rel="${rel}"`,
      ).join(', ')
    const form = headersRead.get(name)
    return form === undefined ? undefined : (form.exec(value)?.[0] ?? named('text', value))
  }

  return ({ url, request: { method, path, query = {} }, answer }) => {
    const { status, headers } = answer
    const [own = '', inPath = ''] = path.split('?', 2)
    return {
      server: named('server', url.origin),
      method,
      path: pathShape(own),
      query: Object.fromEntries(parameters([...new URLSearchParams(inPath), ...Object.entries(query)])),
      status,
      headers: Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) => {
          const shown = headerShape(name, value)
          return shown === undefined ? [] : [[name, shown]]
        }),
      ),
      body: shapeOf(parsed(answer), '', 0),
    }
  }
}

const nameFor = (kind: string, number: number): string => {
  switch (kind) {
    case 'server':
      return `https://server-${number}.example.com`
    case 'address':
      return `person-${number}@example.com`
    case 'id':
      return `00000000-0000-0000-0000-${`${number}`.padStart(12, '0')}`
    default:
      return `${kind} ${number}`
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function parsed(answer: Answer): unknown {
  try {
    return parseJson(answer)
  } catch {
    return undefined
  }
}
