import type { ReportRow } from '../documents/report.ts'

/** Empty for a mapping that is as its rule says, and where the rule is not known. */
export const standingTexts: Readonly<Record<ReportRow['standing'], string>> = {
  declared: '',
  ending: 'the plan deletes it',
  held: 'held',
  undeclared: 'undeclared',
  unmanaged: 'unmanaged',
  notManaged: 'not managed',
  unknown: '',
}
