import { settingsPlaces } from '../../src/commands/description.ts'
import { ruleKeys } from '../../src/declaration/fenceWords.ts'
import { declarationSchema, fencesJsonSchema, settingsJsonSchema } from '../../src/settings/jsonSchemas.ts'
import { badInput } from '../../test/functional/bad-input-table.ts'
import { faults } from '../../test/functional/directoryFaults/faults.ts'
import { hanging } from '../../test/functional/process/hanging-table.ts'
import { badDirectories } from '../../test/functional/servers/bad-input-table.ts'
import { table } from '../../test/functional/specification/table.ts'
import { type Blanks, blanksFile, owners, questions, withCommits } from '../release/blanks.ts'
import { accountStates } from './accountStates.ts'
import { alertMarkdown, alertRules } from './alerts.ts'
import { renderBadInput, withRows } from './bad-input.ts'
import { between } from './between.ts'
import { chartSchema } from './chart-schema.ts'
import { defaultsTemplate, valuesTable } from './chart-values.ts'
import { commandPage } from './commands.ts'
import { dashboard } from './dashboard.ts'
import { declarationReference } from './declaration-reference.ts'
import { renderFaultyDirectories } from './directoryFaults.ts'
import { exampleCompany } from './example-company.ts'
import { renderHanging } from './hanging.ts'
import type { JsonSchema } from './kubernetes-shapes.ts'
import { memberSources } from './memberSources.ts'
import { metricMarkdown } from './metrics.ts'
import { withQuotedFiles } from './quoted-files.ts'
import { dialectTable, endpointTable, faultTable } from './sandbox.ts'
import { settingsReference } from './settings-reference.ts'
import { specificationPage } from './specification.ts'
import { workflowFiles } from './workflowFiles.ts'

const workflows = ['dependencies', 'release', 'test'].map((name) => `.github/workflows/${name}.yml`)

export type GeneratedFile = { readonly path: string; readonly content: string }

/**
 * All files that are generated from the code, in whole or in part.
 *
 * @param read returns the current content of a file; a generated part is between markers
 */
export async function generated(read: (path: string) => Promise<string>): Promise<readonly GeneratedFile[]> {
  const settings = settingsJsonSchema()
  const values = await read(`${chart}/values.yaml`)
  const schemaOfChart = chartSchema(settings as JsonSchema, values)
  const part = async (path: string, ...renew: readonly ((page: string) => string)[]): Promise<GeneratedFile> => ({
    path,
    content: renew.reduce((page, one) => one(page), await read(path)),
  })
  const blanks = JSON.parse(await read(blanksFile)) as Blanks
  return [
    { path: '.github/CODEOWNERS', content: owners(blanks) },
    { path: '.github/ISSUE_TEMPLATE/config.yml', content: questions(blanks) },
    ...(await Promise.all(workflows.map((path) => part(path, (text) => withCommits(text, blanks))))),
    { path: 'config/declaration.schema.json', content: json(declarationSchema()) },
    { path: 'config/settings.schema.json', content: json(settings) },
    { path: 'config/fences.schema.json', content: json(fencesJsonSchema()) },
    ...exampleCompany(),
    { path: 'src/commands/workflowFiles.ts', content: await workflowFiles(read) },
    { path: `${chart}/values.schema.json`, content: json(schemaOfChart) },
    { path: `${chart}/templates/_defaults.tpl`, content: defaultsTemplate(values) },
    { path: `${chart}/files/alerts.yaml`, content: alertRules() },
    { path: `${chart}/files/dashboard.json`, content: json(dashboard()) },
    await part(`${chart}/README.md`, between('values', valuesTable(schemaOfChart))),
    await part('docs/dev/bad-input.md', between('bad-input', renderBadInput(withRows(badInput, 'A clear error', badDirectories)))),
    await part('docs/dev/directory-faults.md', between('faults', renderFaultyDirectories(Object.values(faults)))),
    await part('docs/directories.md', between('member-sources', memberSources()), between('account-states', accountStates())),
    await part('docs/fences.md', between('rule-keys', keysThatFencesAllow())),
    ...(await Promise.all(firstSteps.map(async (path) => ({ path, content: await withQuotedFiles(await read(path), read) })))),
    await part('docs/dev/hanging.md', between('hanging', renderHanging(Object.values(hanging)))),
    { path: 'docs/commands.md', content: await commandPage() },
    await part(
      'docs/declaration.md',
      ...Object.entries(declarationReference(declarationSchema())).map(([name, text]) => between(name, text)),
    ),
    await part(
      'docs/settings.md',
      between('places', settingsPlaces.map((place) => `\`${place}\``).join(', ')),
      between('settings', settingsReference(settings)),
    ),
    await part('docs/metrics.md', between('metrics', metricMarkdown()), between('alerts', alertMarkdown())),
    { path: 'docs/dev/specification.md', content: specificationPage(table) },
    await part(
      'docs/dev/sandbox-reference.md',
      between('endpoints', endpointTable()),
      between('dialects', dialectTable()),
      between('faults', faultTable()),
    ),
  ]
}

const keysThatFencesAllow = () =>
  Object.entries(ruleKeys)
    .flatMap(([key, right]) => (right === 'always' ? `\`${key}\`` : []))
    .join(', ')

const chart = 'helm/plane-group-sync'
const firstSteps = ['keycloak', 'ldap', 'entra'].map((name) => `docs/first-steps-${name}.md`)
const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`
