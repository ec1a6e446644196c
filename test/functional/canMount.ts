import { execFileSync } from 'node:child_process'

/** Whether this account may mount a file system that only its own processes see. */
export const canMount = (() => {
  try {
    execFileSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
