import type { Context } from '../../foundation/context.ts';
import { selectLastBackup } from './backups.sql.ts';

/** The newest complete backup of this installation, wherever it was written. */
export interface LastBackup {
  readonly snapshot: string;
  /** When all rows were as they are in it. */
  readonly createdAt: Date;
}

/** Undefined: there is none. Checks no permission. */
export async function findLastBackup({ db }: Context): Promise<LastBackup | undefined> {
  return await selectLastBackup(db);
}
