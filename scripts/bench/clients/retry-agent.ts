import { Agent, RetryAgent, request } from 'undici'
import { type Client, path } from '../sideBySide/client.ts'

/**
 * It has no setting for a limit: it sends, and waits when it is refused. `maxTimeout` also limits Retry-After, so it must be a window.
 * `maxRetries` is so high that no call is given up.
 *
 * @see https://undici.nodejs.org/#/docs/api/RetryAgent
 */
const client: Client = {
  name: 'undici RetryAgent',
  packages: ['undici'],
  note: 'used alone; it has no setting for a limit; it obeys Retry-After up to a window (`maxTimeout`); no call is given up (`maxRetries`)',
  open({ url, windowMs, speed }) {
    const agent = new Agent()
    const dispatcher = new RetryAgent(agent, { maxRetries: 1_000, maxTimeout: windowMs, minTimeout: 500 / speed })
    return {
      async call() {
        const { statusCode, body } = await request(url + path, { dispatcher })
        await body.dump()
        if (statusCode !== 200) throw new Error(`answered ${statusCode}`)
      },
      close: () => agent.close(),
    }
  },
}
export default client
