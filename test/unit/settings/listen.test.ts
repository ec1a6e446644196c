import { expect, test } from 'vitest'
import { settingsSchema } from '../../../src/settings/schema.ts'
import { parseYaml } from '../../../src/yaml/parse.ts'
import { validate } from '../../../src/yaml/validate.ts'

test.each([['9464'], ['"9464"']])('a port alone is no address, also as the number %s', (listen) => {
  const text = `version: 1\nservice: { baseUrl: "https://a.example" }\nworkspaces: { acme: {} }\ndeclaration: g\nhttp: { listen: ${listen} }\n`
  const { document } = parseYaml(new TextEncoder().encode(text), { file: 'config.yaml', schema: settingsSchema })
  if (document === undefined) throw new Error(text)
  const checked = validate(document, settingsSchema)
  expect(checked.valid ? [] : checked.problems.map(({ cure }) => cure)).toEqual([
    'write host:port, [::1]:port, or :port for every address; a port is at most 65535',
  ])
})
