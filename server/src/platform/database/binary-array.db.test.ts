import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { byteaArray, uuidArray } from './binary-array.ts';

let database: TestDatabase<object>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const uuid = '01a2092f-40b8-73a5-a629-f8a9c6c24608';

it.each([[[]], [[uuid]], [[uuid, '00000000-0000-0000-0000-000000000000']]])(
  'the database reads %j as uuids',
  async (values) => {
    const { rows } = await database.connection.pool.query('select $1::uuid[] as read', [
      uuidArray(values),
    ]);
    expect(rows).toEqual([{ read: values }]);
  },
);

it('the database reads bytes', async () => {
  const { rows } = await database.connection.pool.query(
    `select encode(value, 'hex') as read from unnest($1::bytea[]) as value`,
    [byteaArray(['00ff', 'abcd'], 2)],
  );
  expect(rows).toEqual([{ read: '00ff' }, { read: 'abcd' }]);
});
