import { registerHooks } from 'node:module'
import { plants } from './plants.ts'

/** Loaded before a worker. It changes the source of one module while it is loaded, so that the module contains one planted mistake. */
const name = process.env.PLANE_GROUP_SYNC_PLANT
const plant = plants.find((one) => one.name === name)
if (plant === undefined) throw new Error(`no planted mistake is called ${name}`)

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith(`/${plant.file}`)) return loaded
    const source = typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString('utf8')
    if (source.split(plant.from).length !== 2) throw new Error(`${plant.file}: "${plant.from}" is not there exactly once`)
    return { ...loaded, source: source.replace(plant.from, () => plant.to) }
  },
})
