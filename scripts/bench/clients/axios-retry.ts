import { create } from 'axios'
import axiosRetry, { linearDelay } from 'axios-retry'
import { type Client, path } from '../sideBySide/client.ts'

/**
 * No limit can be told to it either. Of the two delays that its documentation offers `linearDelay` waits exactly for Retry-After;
 * `exponentialDelay` adds up to a fifth, and took 1.09 instead of 1.02 times the bound for 300 calls on a sliding log.
 *
 * @see https://github.com/softonic/axios-retry#usage
 */
const client: Client = {
  name: 'axios-retry',
  packages: ['axios', 'axios-retry'],
  note: 'no limit can be told to it; `linearDelay`, which waits for Retry-After where there is one; no call is given up (`retries`)',
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
