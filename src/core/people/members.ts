/** The members of one group, as its directory knows them. */
export type Members = {
  /**
   * One text for each person who can sign in, each once: the mail address, or the attribute that the settings name, in lower case. No output and no
   * journal contains it.
   */
  readonly people: readonly string[]
  /** Accounts that are switched off. */
  readonly disabled: number
  /** Accounts of another directory, of which nothing is known. */
  readonly foreign: number
  /** Members that the directory names but no longer has. */
  readonly dangling: number
  /** Groups. Their members count only if the directory is read with `nested`; they are then among `people`. */
  readonly groups: number
}

/** Id of a group → its members. A group that is absent was not read whole. */
export type Memberships = ReadonlyMap<string, Members>
