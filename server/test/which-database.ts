/** Whether this run of a test is on PostgreSQL, not on the embedded database. */
export const isOnServer = process.env['TEST_DATABASE'] === 'postgres';

/**
 * Whether this run is on PostgreSQL, or there is none. For tests to which the database makes no difference,
 * in files that run on both.
 */
export const isOnMainDatabase = isOnServer || process.env['TEST_POSTGRES_FOUND'] !== 'true';
