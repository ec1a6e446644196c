/**
 * An ID as `--allow` and `approve` take it. Behind it may stand up to how many people it lets its change or set pass: `ID:160`. `any`: every number, also if it
 * is not known. An ID alone passes no limit on people.
 */
type IdWithPeople = { readonly id: string; readonly people?: number | 'any' }

/** What a person may give as an ID. */
export const idWithPeople = (digitsMin: number): RegExp => new RegExp(`^[0-9a-f]{${digitsMin},64}(?::(?:\\d{1,9}|any))?$`)

export const idText = (id: string, people?: IdWithPeople['people']): string =>
  people === undefined ? id : `${id}:${people === Number.POSITIVE_INFINITY ? 'any' : people}`

export function partsOfId(text: string): IdWithPeople {
  const [id = '', people] = text.split(':', 2)
  return people === undefined ? { id } : { id, people: people === 'any' ? people : Number(people) }
}

/** The ID without the number. */
export const bareId = (text: string): string => partsOfId(text).id

/** Up to how many people the ID lets something pass; -1 if it has no number. */
export function peopleMost(text: string): number {
  const { people = -1 } = partsOfId(text)
  return people === 'any' ? Number.POSITIVE_INFINITY : people
}
