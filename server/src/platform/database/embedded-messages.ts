/** What the thread with the embedded database and the main thread tell each other. */

export interface WorkerStart {
  /** The folder of the database files; undefined: in memory. */
  readonly filesDir: string | undefined;
  /** A packed data image to start from where there is no database yet; undefined: initdb. */
  readonly image: Uint8Array | undefined;
}

/** What the thread is given besides. */
export interface WorkerData extends WorkerStart {
  /** See `Activity`: at work on a message of its client. */
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
