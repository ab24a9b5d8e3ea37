/** How far long work of an operator is, such as a backup. */
export interface WorkProgress {
  /** What is worked on now. */
  readonly stage: 'rows' | 'checks' | 'files' | 'comparison';
  readonly done: number;
  /** Undefined: not known. */
  readonly total: number | undefined;
}

export interface WorkOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: WorkProgress) => void) | undefined;
}
