import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';

let database: TestDatabase<unknown>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

test('the tables are there', async () => {
  const { rows } = await database.connection.pool.query('select count(*) as count from users');
  expect(rows).toEqual([{ count: 0 }]);
});
