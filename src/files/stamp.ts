import { stat } from 'node:fs/promises'
import { errnoOf } from './errno.ts'

/**
 * A text that changes when a file is written, replaced or removed. Links are followed. Never throws.
 *
 * The kubelet makes a new file for each edit of a ConfigMap. A file that is written in place keeps its number, so its size and its times count, too.
 */
export const stampOf = async (path: string): Promise<string> => {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = await stat(path)
    return [dev, ino, size, mtimeMs, ctimeMs].join(' ')
  } catch (error) {
    return String(errnoOf(error))
  }
}
