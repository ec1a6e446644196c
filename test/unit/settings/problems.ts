import { checkSettings } from '../../../src/settings/check.ts'
import { type Settings, settingsSchema } from '../../../src/settings/schema.ts'
import { parseYaml } from '../../../src/yaml/parse.ts'
import { validate } from '../../../src/yaml/validate.ts'

const { document: empty } = parseYaml(new TextEncoder().encode('{}'), { file: 'config.yaml', schema: settingsSchema })
if (empty === undefined) throw new Error('{} is no document')

/** The problems of settings that the program finds without a server, as `validate` does, without their places. Empty: it accepts them. */
export function problemsOf(value: unknown): readonly string[] {
  const document = { ...(empty as NonNullable<typeof empty>), value }
  const validated = validate<Settings>(document, settingsSchema)
  return (validated.valid ? checkSettings(validated.value, document) : validated.problems).map(({ message }) => message)
}
