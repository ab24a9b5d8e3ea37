/** Sweeps unreferenced files from the blob store. No table. */

export { sweepFilesJob } from './sweep-files.job.ts';
export { type SweepOptions, type SweptFiles, sweepFiles } from './sweep-files.ts';
