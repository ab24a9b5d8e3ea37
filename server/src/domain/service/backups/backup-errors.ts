/** A backup, or a part of it, that cannot be what was written. */
export class DamagedBackupError extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(what, options);
    this.name = 'DamagedBackupError';
  }
}

/** A backup that this release cannot read, or a place that cannot take one. `message` is for the operator. */
export class BackupRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BackupRefusedError';
  }
}

/** Work in a place that has to wait for the work of others. */
export class OthersAtWorkError extends BackupRefusedError {}

/** Undefined: the backup is damaged, or of a newer version. */
export async function orUnreadable<T>(reading: Promise<T>): Promise<T | undefined> {
  return await reading.catch((error: unknown) => {
    if (error instanceof DamagedBackupError || error instanceof BackupRefusedError)
      return undefined;
    throw error;
  });
}
