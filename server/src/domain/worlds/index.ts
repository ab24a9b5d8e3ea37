/** World files: a whole installation written down, for demonstrations, checks and first steps. */
export { type LoadedWorld, loadWorld } from './load-world.ts';
