import type { BigIntStats } from 'node:fs'

/** Two names or handles mean the same file if their ids are equal. A copy of a file has another id. As bigint, because a number would round a large inode. */
export type FileId = { readonly device: bigint; readonly inode: bigint }

export const idOf = ({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): FileId => ({ device: dev, inode: ino })

export const isSameId = (a: FileId, b: FileId): boolean => a.device === b.device && a.inode === b.inode
