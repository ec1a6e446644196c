import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { type DocumentName, documentSchema } from '../../../src/documents/jsonSchemas.ts'
import { openPlace } from './program.ts'

const declaration = 'version: 1\nworkspaces: { acme: { projectRoles: [{ group: devs, project: ENG, role: member }] } }\n'

test('schema prints the schema of each document that --format json prints', async () => {
  await using place = await openPlace({ declaration, groups: ['devs', 'ops'] })
  await place.write('directory.yaml', {
    groups: [
      { name: 'devs', members: ['ann@example.com'] },
      { name: 'ops', members: [] },
    ],
  })
  const printed: Readonly<Record<Exclude<DocumentName, 'status' | 'last' | 'notice'>, readonly string[]>> = {
    plan: ['plan'],
    applied: ['apply', '--yes'],
    groups: ['groups'],
    who: ['who', 'ann@example.com'],
    explain: ['explain', 'acme', 'ENG', 'devs'],
    validate: ['validate'],
    doctor: ['doctor', '--quiet'],
    report: ['report'],
  }
  for (const [name, command] of Object.entries(printed) as [DocumentName, readonly string[]][]) {
    const schema = await place.run(['schema', name])
    expect(JSON.parse(schema.out)).toEqual(documentSchema(name))
    const { out, err } = await place.run([...command, '--format', 'json'])
    // The strict form of the same schema refuses fields that the schema does not name.
    const check = new Ajv2020({ formats: { 'date-time': true } }).compile(documentSchema(name, 'refused'))
    expect(check(JSON.parse(out)), `${name}: ${JSON.stringify(check.errors)} ${err}`).toBe(true)
  }
  expect(JSON.parse((await place.run(['schema', 'settings'])).out)).toHaveProperty('properties.service')
  const fences = JSON.parse((await place.run(['schema', 'fences'])).out)
  const check = new Ajv2020().compile(fences)
  expect(check({ version: 1, fences: { 'teams/{team}/**': { owner: '{team}', workspace: 'acme' }, 'all.yaml': 'everything' } })).toBe(true)
  expect(check({ version: 1, fences: { 'teams/{team}/**': { owner: '{team}' } } })).toBe(false)
  expect(await place.run(['schema', 'constructor'])).toMatchObject({ code: 64, out: '' })
})
