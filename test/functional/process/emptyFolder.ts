import { mkdir } from 'node:fs/promises'
import type { Place, StartOptions } from './program.ts'

/** Starts the program in the folder `empty` of a place, without `--config`, with the three variables of Plane. */
export async function alone(place: Place, { env = {}, wrap = (command) => command }: StartOptions = {}): Promise<Required<StartOptions>> {
  await mkdir(place.path('empty'), { recursive: true })
  const inFolder = (command: readonly string[]) => [
    'env',
    '-C',
    place.path('empty'),
    ...wrap(command.slice(0, command.indexOf('--config'))),
  ]
  return { wrap: inFolder, env: { PLANE_WORKSPACE_SLUG: 'acme', ...env } }
}

/** The same, up to the end of the program. */
export const runAlone = async (place: Place, args: readonly string[], env: Record<string, string> = {}) =>
  place.run(args, await alone(place, { env }))
