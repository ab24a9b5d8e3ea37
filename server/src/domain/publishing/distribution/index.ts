/**
 * How a show gets to its listeners' apps: the directories that list it, and the rules that they and
 * the apps make. Tables: podcast_directories, prefix_checks.
 */
export { checkListings, directoryNames, type Listing } from './directory.ts';
export type { Health } from './health/check-health.ts';
export { readHealth } from './health/read-health.ts';
export { checkPrefixesJob } from './prefixes/check-prefixes.job.ts';
export { checkPrefixes, checkPrefixesOfShow } from './prefixes/check-prefixes.ts';
export { readListings, setListings } from './set-listings.ts';
