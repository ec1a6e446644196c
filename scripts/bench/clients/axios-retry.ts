import { create } from 'axios'
import axiosRetry, { linearDelay } from 'axios-retry'
import { type Client, path } from '../sideBySide/client.ts'

/**
 * It has no setting for a limit. Its documentation offers two delays. `linearDelay` waits exactly for Retry-After. `exponentialDelay` adds up to a
 * fifth, and took 1.09 instead of 1.02 times the bound for 300 calls on a sliding log.
 *
 * @see https://github.com/softonic/axios-retry#usage
 */
const client: Client = {
  name: 'axios-retry',
  packages: ['axios', 'axios-retry'],
  note: 'it has no setting for a limit; `linearDelay` waits for Retry-After if there is one; no call is given up (`retries`)',
  open({ url, speed }) {
    const instance = create({ baseURL: url })
    axiosRetry(instance, { retries: 1_000, retryDelay: linearDelay(100 / speed) })
    return {
      call: async () => void (await instance.get(path)),
      close: () => undefined,
    }
  },
}
export default client
