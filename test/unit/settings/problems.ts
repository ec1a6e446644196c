import { checkSettings } from '../../../src/settings/check.ts'
import { checkSchedule } from '../../../src/settings/load.ts'
import { type Settings, settingsSchema } from '../../../src/settings/schema.ts'
import { parseYaml } from '../../../src/yaml/parse.ts'
import { validate } from '../../../src/yaml/validate.ts'

const { document: empty } = parseYaml(new TextEncoder().encode('{}'), { file: 'config.yaml', schema: settingsSchema })
if (empty === undefined) throw new Error('{} is no document')

/** The problems of settings that the program finds without a server, as `validate` does, without their places. Empty: it accepts them. */
export async function problemsOf(value: unknown): Promise<readonly string[]> {
  const document = { ...(empty as NonNullable<typeof empty>), value }
  const validated = validate<Settings>(document, settingsSchema)
  if (!validated.valid) return validated.problems.map(({ message }) => message)
  const { problems } = await checkSchedule(validated.value, document)
  return [...checkSettings(validated.value, document), ...problems].map(({ message }) => message)
}
