/**
 * What a user finds first after signing in: their shows with the newest figures, and what needs
 * their attention. Owns no table.
 */
export { type AccountNeed, readAccountNeeds } from './account-needs.ts';
export { type HomeShow, listHomeShows, type ShowNeed } from './list-home-shows.ts';
export { type FirstStep, firstSteps, readFirstSteps } from './read-first-steps.ts';
