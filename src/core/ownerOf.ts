/** A change or a hold, as far as it says whose it is; also that of a document. */
export type OwnedRow = {
  readonly because?: { readonly at: { readonly file: string }; readonly owner?: string | undefined } | undefined
  readonly givenBy?: string | undefined
  readonly change?: { readonly action: string; readonly givenBy?: string | undefined } | undefined
}

/** The owner that a fence gives to a file; undefined if none does. */
export type FenceOwnerOf = (file: string) => string | undefined

/** The file that answers for a row: that of its rule. If its line is gone, the one that gave the mapping. Undefined: it is not known. */
export const fileOfRow = ({ because, givenBy, change }: OwnedRow): string | undefined => because?.at.file ?? givenBy ?? change?.givenBy

/** The owner that a fence gives to the file of a row. What a file says of its own owner does not count. */
export function fenceOwnerOfRow(row: OwnedRow, ownerOfFile: FenceOwnerOf): string | undefined {
  const file = fileOfRow(row)
  return file === undefined ? undefined : ownerOfFile(file)
}

/** The owner of a row: whom its rule says, else the owner of the fence of its file. Undefined: it is not known. */
export const ownerOfRow = (row: OwnedRow, ownerOfFile: FenceOwnerOf): string | undefined =>
  row.because?.owner ?? fenceOwnerOfRow(row, ownerOfFile)
