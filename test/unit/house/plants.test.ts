import { expect, test } from 'vitest'
import { plants } from '../../simulation/plants.ts'
import { filesBelow } from './files.ts'

const sources = filesBelow('src', '.ts')

/** The simulation replaces this text. A plant whose text an edit has changed stops the simulation, which takes minutes to tell. */
test.each(plants)('planted: "$name" still stands in the source, once', ({ file, from }) => {
  expect(sources.find(({ path }) => path === file)?.text.split(from)).toHaveLength(2)
})
