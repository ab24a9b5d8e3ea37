/** Messages between the main thread and the thread of the embedded database. */

export interface WorkerStart {
  /** The folder of the database files; undefined: in memory. */
  readonly filesDir: string | undefined;
  /** A packed data image for a new database; undefined: initdb. */
  readonly image: Uint8Array | undefined;
}

/** Further data for the thread. */
export interface WorkerData extends WorkerStart {
  /** The compiled PostgreSQL. */
  readonly module: WebAssembly.Module;
  /** See `Activity`: processing a message of its client. */
  readonly activity: SharedArrayBuffer;
}

export type ToWorker =
  | { readonly kind: 'bytes'; readonly session: number; readonly bytes: Uint8Array }
  | { readonly kind: 'session-end'; readonly session: number }
  | { readonly kind: 'dump' }
  | { readonly kind: 'close' };

export type FromWorker =
  | { readonly kind: 'ready'; readonly commitsAreSynced: boolean }
  | { readonly kind: 'bytes'; readonly session: number; readonly bytes: Uint8Array }
  | { readonly kind: 'dumped'; readonly image: Uint8Array }
  | { readonly kind: 'failed'; readonly message: string };
