/** Seed files: a whole installation as a file, for demos, tests and first steps. */
export { loadSeedFile } from './load-seed-file.ts';
export type { MadeEntries } from './make-entries.ts';
