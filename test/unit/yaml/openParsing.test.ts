import { expect, test } from 'vitest'
import { openParsing } from '../../../src/yaml/parse.ts'
import { z } from '../../../src/yaml/zod.ts'

const schema = z.unknown()
const bytes = (text: string) => new TextEncoder().encode(text)

test('a file of the same name, bytes and schema is parsed once', () => {
  const parse = openParsing()
  const first = parse(bytes('a: 1\n'), { file: 'a.yaml', schema })
  expect(parse(bytes('a: 1\n'), { file: 'a.yaml', schema })).toBe(first)
  const others = [
    parse(bytes('a: 2\n'), { file: 'a.yaml', schema }),
    parse(bytes('a: 1\n'), { file: 'b.yaml', schema }),
    parse(bytes('a: 1\n'), { file: 'b.yaml', schema: z.object({}) }),
  ]
  expect(new Set([first, ...others]).size).toBe(4)
  expect(others.map(({ document }) => document?.value)).toEqual([{ a: 2 }, { a: 1 }, { a: 1 }])
})
