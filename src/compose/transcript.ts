import { type Exchange, openShapes } from '../directories/transcript/shape.ts'
import type { ProgramEnvironment } from './environment.ts'

/** More requests than this say nothing new about the shape of answers. */
const exchangesMax = 200

/**
 * A world in which the answers of directories over HTTP are written down by their shape. Requests for tokens are sent by POST, and are not written down.
 * `left`: how many requests there were beyond the limit.
 */
export function openTranscript<World extends Pick<ProgramEnvironment, 'connect'>>(
  world: World,
): { readonly world: World; shapes(): { readonly exchanges: readonly Exchange[]; readonly left: number } } {
  const shape = openShapes()
  const exchanges: Exchange[] = []
  let left = 0
  const connect: World['connect'] = (to, options) => {
    const origin = world.connect(to, options)
    return {
      ...origin,
      async request(request, signal) {
        const answer = await origin.request(request, signal)
        if (request.method !== 'GET') return answer
        if (exchanges.length < exchangesMax) exchanges.push(shape({ url: origin.url, request, answer }))
        else left++
        return answer
      },
    }
  }
  return { world: { ...world, connect }, shapes: () => ({ exchanges, left }) }
}
