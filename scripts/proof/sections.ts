import type { Found, Report as Worlds } from '../../test/simulation/report.ts'
import { between } from '../generate/between.ts'
import { mutationSection } from './mutation/page.ts'
import { reasons } from './mutation/reasons.ts'
import type { MutationReport } from './mutation/score.ts'
import { killsSection, plantsSection, propertiesSection, worldsSection } from './page.ts'
import type { Kills, Properties, Report } from './report.ts'

/** What puts the reports into docs/proof.md. `read` gives the content of a file. */
export async function proofSections(read: (path: string) => Promise<string>): Promise<readonly ((page: string) => string)[]> {
  const report = async (name: string): Promise<unknown> => JSON.parse(await read(`scripts/proof/reports/${name}.json`))
  const sections = {
    worlds: worldsSection((await report('worlds')) as Report<Worlds>),
    plants: plantsSection((await report('plants')) as Report<{ readonly plants: readonly Found[] }>),
    properties: propertiesSection((await report('properties')) as Report<Properties>),
    kills: killsSection((await report('kills')) as Report<Kills>),
    mutation: mutationSection((await report('mutation')) as MutationReport, reasons),
  }
  return Object.entries(sections).map(([name, text]) => between(name, `\n${text}\n`))
}
