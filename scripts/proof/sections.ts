import { between } from '../generate/between.ts'
import { figuresText, type Reports } from './figures.ts'
import { mutationSection } from './mutation/page.ts'
import type { Reasons } from './mutation/reasons.ts'
import { killsSection, plantsSection, propertiesSection } from './page.ts'
import { worldsSection } from './worlds.ts'

/** All stored reports. `read` returns the content of a file. */
export async function reportsOf(read: (path: string) => Promise<string>): Promise<Reports> {
  const names = ['worlds', 'plants', 'properties', 'kills', 'mutation'] satisfies (keyof Reports)[]
  const reportOf = async (name: string) => [name, JSON.parse(await read(`scripts/proof/reports/${name}.json`)) as unknown] as const
  return Object.fromEntries(await Promise.all(names.map(reportOf))) as Reports
}

/** Functions that put the reports into docs/proof.md. */
export function proofSections(
  { worlds, plants, properties, kills, mutation }: Reports,
  reasons: Reasons,
): readonly ((page: string) => string)[] {
  const sections = {
    worlds: worldsSection(worlds),
    plants: plantsSection(plants),
    properties: propertiesSection(properties),
    kills: killsSection(kills),
    mutation: mutationSection(mutation, reasons),
  }
  return Object.entries(sections).map(([name, text]) => between(name, `\n${text}\n`))
}

/** A function that puts the summary into docs/promises.md. */
export const figures = (reports: Reports) => between('figures', figuresText(reports))
