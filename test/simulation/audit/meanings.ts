/** A text of the declaration. `name` differs for each id that the text can mean. */
export type Text = {
  readonly name: string
  readonly workspace: string
  readonly text: string
  readonly group?: string
  readonly isPattern?: boolean
}

/**
 * The ids that the texts of a declaration mean, as far as they are in one journal, or in one process without a journal. A text keeps the first id
 * that was stored for it. The auditor does not always see whether an id was stored, so it keeps each id that may be the first one.
 */
export type Meanings = {
  /** The id that is certainly stored. Undefined if none may be stored, or one of several. */
  readonly known: (name: string) => string | undefined
  /** The id is stored now, unless another one was stored before. */
  readonly learn: (text: Text, id: string, isDurable: boolean) => void
  /** The id may be stored now. */
  readonly mayLearn: (text: Text, id: string) => void
  /** From now on it is not known which id is stored. */
  readonly doubt: (text: Text) => void
  /** The ids of these texts may be removed now. */
  readonly mayForget: (isForgotten: (text: Text) => boolean) => void
  /** The disk was synced. */
  readonly synced: () => void
  /** A power failure may have taken the ids that were not synced. */
  readonly powerFailed: () => void
}

/** `ids`: one of these is stored. `none`: there may be no id. */
type Stored = { readonly text: Text; readonly ids: Set<string>; isDurable: boolean }
const none = ''
/** No project and no group has this id, so a text with it is never known again. */
const unknown = '?'

export function openMeanings(): Meanings {
  const all = new Map<string, Stored>()
  function storedOf(text: Text): Stored {
    const one = all.get(text.name) ?? { text, ids: new Set([none]), isDurable: false }
    all.set(text.name, one)
    return one
  }
  function mayLearn(text: Text, id: string): void {
    const { ids } = storedOf(text)
    if (ids.has(none)) ids.add(id)
  }

  return {
    known(name) {
      const [id, ...others] = all.get(name)?.ids ?? []
      return id === undefined || id === none || id === unknown || others.length > 0 ? undefined : id
    },
    learn(text, id, isDurable) {
      const one = storedOf(text)
      if (!one.ids.delete(none)) return
      one.ids.add(id)
      one.isDurable = isDurable
    },
    mayLearn,
    doubt: (text) => mayLearn(text, unknown),
    mayForget(isForgotten) {
      for (const { text, ids } of all.values()) if (isForgotten(text)) ids.add(none)
    },
    synced() {
      for (const one of all.values()) one.isDurable = true
    },
    powerFailed() {
      for (const { ids, isDurable } of all.values()) if (!isDurable) ids.add(none)
    },
  }
}
