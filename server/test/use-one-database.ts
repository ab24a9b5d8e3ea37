import { afterAll, beforeAll } from 'vitest';
import { createReusedDatabase, type DatabaseSource, type ReusedDatabase } from './test-database.ts';

/** For a file whose tests have an installation each: they share a database. */
export function useOneDatabase(): DatabaseSource {
  let reused: ReusedDatabase;
  beforeAll(async () => {
    reused = await createReusedDatabase();
  });
  afterAll(() => reused[Symbol.asyncDispose]());
  return { open: () => reused.open() };
}
