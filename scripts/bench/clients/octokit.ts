import { Octokit } from '@octokit/core'
import { throttling } from '@octokit/plugin-throttling'
import { type Client, path } from '../sideBySide/client.ts'

/**
 * GitHub's own client against a service that is not GitHub. The plugin recognises a refusal by GitHub's words. So the `fetch` of this file adds these
 * words to each 429. The rest is as in the package: groups of calls, 10 at a time, and a wait for Retry-After, or for a minute if that is absent.
 *
 * @see https://github.com/octokit/plugin-throttling.js#usage
 * @see https://github.com/octokit/plugin-throttling.js#options
 */
const client: Client = {
  name: '@octokit/plugin-throttling',
  packages: ['@octokit/core', '@octokit/plugin-throttling'],
  note: "the package with its defaults; a `fetch` around the real one gives each 429 GitHub's words, because the plugin recognises it by them; every refusal is retried",
  open({ url, speed }) {
    const Throttled = Octokit.plugin(throttling)
    const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
    const octokit = new Throttled({
      baseUrl: url,
      log: silent,
      request: { fetch: inItsWords },
      throttle: {
        onRateLimit: () => true,
        onSecondaryRateLimit: () => true,
        fallbackSecondaryRateRetryAfter: 60 / speed,
      },
    })
    return {
      call: async () => void (await octokit.request(`GET ${path}`)),
      close: () => undefined,
    }
  },
}
export default client

async function inItsWords(...wanted: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(...wanted)
  if (answer.status !== 429) return answer
  await answer.arrayBuffer()
  return Response.json({ message: 'You have exceeded a secondary rate limit.' }, { status: 429, headers: answer.headers })
}
