import { expect, it } from 'vitest';
import { planAll } from './embedded-statements.ts';

it('a statement is planned with any parameters, and one that the embedded database refuses is named', async () => {
  const statements = [
    'select id from users where email = $1 and created_at < $2',
    'insert into no_table_of_ours values ($1)',
    "select '26-02-03'::date",
    'select no_such_function($1)',
    'select email from users where id = $1 and',
  ];
  expect(await planAll(statements)).toEqual([
    'function no_such_function(unknown) does not exist\nselect no_such_function($1)',
    'syntax error at end of input\nselect email from users where id = $1 and',
  ]);
});
