'use strict'
// Node can show the lines of the source by itself, but then it reads the maps of all files at each start (a tenth of the time of a plan, measured). Here
// a map is read when a defect has a stack. Other errors, with a code or a name of their own, are never shown with one, though Node's streams ask for it.
const { readFileSync } = require('node:fs')
const { SourceMap } = require('node:module')

const maps = new Map()

/** The text of a stack; of a defect, with the places in the source instead of those in the bundle. For `Error.prepareStackTrace`. */
exports.stackOf = (error, calls) => {
  const places = calls.map((call) => `    at ${call}`)
  return [title(error), ...(isDefect(error) ? places.map(inSource) : places)].join('\n')
}

const isDefect = ({ code, name }) => code === undefined && /^(?:Range|Reference|Syntax|Type)?Error$/.test(name)

/** Some errors cannot be turned into text. */
function title(error) {
  try {
    return String(error)
  } catch {
    return 'Error'
  }
}

function inSource(call) {
  return call.replace(/(file:\/\/\/\S+\.js):(\d+):(\d+)/, (place, file, line, column) => {
    try {
      const { originalSource, originalLine, originalColumn } = mapOf(file).findEntry(line - 1, column - 1)
      return originalSource === undefined ? place : `${new URL(originalSource, file)}:${originalLine + 1}:${originalColumn + 1}`
    } catch {
      // The files of packages have no map.
      return place
    }
  })
}

function mapOf(file) {
  const known = maps.get(file)
  if (known !== undefined) return known
  const map = new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')))
  maps.set(file, map)
  return map
}
