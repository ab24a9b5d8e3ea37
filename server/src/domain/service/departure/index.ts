/** How a user leaves: what the service knows of them, and the end of their account. Owns no table. */
export { type AccountOverview, readAccountOverview } from './account-overview.ts';
export { deleteOwnAccount } from './delete-own-account.ts';
export { type OwnData, readOwnData } from './read-own-data.ts';
