/** Seed files: a whole installation as a file, for demos, tests and first steps. */
export { type LoadedSeedFile, loadSeedFile } from './load-seed-file.ts';
