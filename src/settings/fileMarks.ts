import { defined } from '../core/optionalFields.ts'
import { ownersOf } from '../declaration/fenceOwner.ts'
import { listFiles } from '../declaration/files.ts'
import { openContents, stampOf } from '../files/contents.ts'
import { yamlBytesMax } from '../yaml/source.ts'
import type { LoadedSettings } from './load.ts'
import { secretFilesOf } from './references.ts'

/** Texts that change with the files that the settings consist of, or name. Nothing throws, except the reason of `signal`. */
type Marks = {
  readonly settings: (loaded: LoadedSettings, signal: AbortSignal) => Promise<string>
  /** Of the names of the declaration's files, of their contents, and of the reasons why others cannot be read. */
  readonly declaration: (loaded: LoadedSettings, signal: AbortSignal) => Promise<string>
  /**
   * Of secrets and certificates, by `credential NAME` and `directory NAME`. Their content is not read: a stamp is enough.
   *
   * @param only of these; absent: of all
   */
  readonly secrets: (loaded: LoadedSettings, only?: ReadonlySet<string>) => Promise<ReadonlyMap<string, string>>
}

/** Opens functions that read only files whose stamp changed since their last call. */
export function openMarks(): Marks {
  const settings = openContents(yamlBytesMax)
  const declaration = openContents(yamlBytesMax)
  return {
    settings: async ({ file }, signal) => (await settings([file], signal)).join(),
    async declaration({ settings: { declaration: place, fences, waivers }, path }, signal) {
      const owners = ownersOf(defined({ fences, waiverFiles: waivers.files }))
      const { files, obstacles } = await listFiles(path(place), owners, signal)
      const texts = await declaration(
        files.map((file) => file.path),
        signal,
      )
      return JSON.stringify([files.map(({ file }, index) => [file, texts[index]]), obstacles])
    },
    async secrets(loaded, only) {
      const marks = new Map<string, string>()
      for (const [of, files] of secretFilesOf(loaded)) {
        if (only?.has(of) === false) continue
        const stamps: string[] = []
        for (const file of files) stamps.push(await stampOf(file))
        marks.set(of, stamps.join('\n'))
      }
      return marks
    },
  }
}
