/** Why a child process has given no result. */
export type ProcessFailure =
  | 'memory' // exceeded its memory limit, or a result was too large
  | 'time' // exceeded its CPU or time limit
  | 'crash' // ended by itself, such as by a fault in native code
  | 'busy' // too many jobs of the same owner wait
  | 'unavailable' // no process could be started
  | 'stopped'; // the program ends

export class ProcessError extends Error {
  readonly reason: ProcessFailure;

  constructor(reason: ProcessFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ProcessError';
    this.reason = reason;
  }

  /** The bytes that were read made the process fail: another try would fail in the same way. */
  get isOfInput(): boolean {
    return this.reason === 'memory' || this.reason === 'time' || this.reason === 'crash';
  }
}
