import { homedir } from 'node:os'
import { join } from 'node:path'

/** The folder of all programs that the scripts in .ci install. They name it in the same way. */
export const toolsFolder =
  process.env['PLANE_GROUP_SYNC_TOOLS'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'plane-group-sync')
