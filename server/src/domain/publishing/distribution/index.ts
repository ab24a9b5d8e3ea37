/**
 * How a show gets to its listeners' apps: the directories that list it, and the rules that they and
 * the apps make. Table: podcast_directories.
 */
export { checkListings, directoryNames, type Listing } from './directory.ts';
export type { Health } from './health/check-health.ts';
export { readHealth } from './health/read-health.ts';
export { readListings, setListings } from './set-listings.ts';
