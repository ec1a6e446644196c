/** The members of one group, as its directory knows them. */
export type Members = {
  /**
   * One text for each person who can sign in, each once: the mail address, or the attribute that the settings name, in lower case. No output and no
   * journal contains it.
   */
  readonly people: readonly string[]
}

/** Id of a group → its members. A group that is absent was not read whole. */
export type Memberships = ReadonlyMap<string, Members>
