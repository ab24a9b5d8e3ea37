import pg from 'pg';
import { expect, it } from 'vitest';
import { isDatabaseAway } from './database-away.ts';

it('knows a server that refuses connections', async () => {
  // Port 1 of the loopback address: nothing listens there.
  const client = new pg.Client('postgres://nobody@127.0.0.1:1/none');
  const error = await client.connect().catch((cause) => cause);
  expect(isDatabaseAway(error)).toBe(true);
});

it.each([
  [new Error('timeout exceeded when trying to connect'), true],
  [new Error('Connection terminated unexpectedly'), true],
  [Object.assign(new Error('stopping'), { code: '57P01', severity: 'FATAL' }), true],
  [Object.assign(new Error('syntax error'), { code: '42601', severity: 'ERROR' }), false],
  [new TypeError('x is not a function'), false],
  [undefined, false],
])('%s: %s', (error, away) => expect(isDatabaseAway(error)).toBe(away));
