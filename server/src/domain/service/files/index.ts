/** Sweeps unreferenced files from the blob store. Owns the note of when files lost their references. */

export { sweepFilesJob } from './sweep-files.job.ts';
export { type SweepOptions, type SweptFiles, sweepFiles } from './sweep-files.ts';
