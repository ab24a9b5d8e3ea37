/** The server accepts no writes: a standby, or a primary that was replaced or is full. */
export class ReadOnlyDatabaseError extends Error {
  /** As PostgreSQL refuses writes. */
  readonly code = '25006';

  constructor() {
    super('the database is read-only');
    this.name = 'ReadOnlyDatabaseError';
  }
}

/** Whether the server refused a write because it is read-only. */
export function isReadOnlyRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25006';
}

/** A statement whose row `assertWritable` checks. Standbys have this setting on, too. */
export const askWritable = `select current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

export function assertWritable({
  rows: [row],
}: {
  readonly rows: readonly { readonly isReadOnly?: boolean }[];
}): void {
  if (row?.isReadOnly === true) throw new ReadOnlyDatabaseError();
}
