import { type Exchange, openShapes } from '../directories/transcript.ts'
import type { ProgramEnvironment } from './environment.ts'

/** More requests of one stage, of groups or of members, than this say nothing new about the shape of answers. */
const exchangesMax = 200

type Transcript<World> = {
  readonly world: World
  /** From now on as many requests again are written down. */
  nextStage(): void
  /** `left`: how many requests there were beyond the limit. */
  shapes(): { readonly exchanges: readonly Exchange[]; readonly left: number }
}

/**
 * A world in which the answers of directories over HTTP are written down by their shape. Requests for tokens are sent by POST, and are not written down.
 */
export function openTranscript<World extends Pick<ProgramEnvironment, 'connect'>>(world: World): Transcript<World> {
  const shape = openShapes()
  const exchanges: Exchange[] = []
  let max = exchangesMax
  let left = 0
  const connect: World['connect'] = (to, options) => {
    const origin = world.connect(to, options)
    return {
      ...origin,
      async request(request, signal) {
        const answer = await origin.request(request, signal)
        if (request.method !== 'GET') return answer
        if (exchanges.length < max) exchanges.push(shape({ url: origin.url, request, answer }))
        else left++
        return answer
      },
    }
  }
  return {
    world: { ...world, connect },
    nextStage: () => void (max = exchanges.length + exchangesMax),
    shapes: () => ({ exchanges, left }),
  }
}
