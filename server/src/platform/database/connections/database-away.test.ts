import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { isDatabaseAway, isStatementTimeout } from './database-away.ts';
import { NoServerError, UnsuitableServerError } from './server-state.ts';

it('isDatabaseAway recognizes a server that refuses connections', async () => {
  // Port 1 of the loopback address: nothing listens there.
  const client = new pg.Client('postgres://nobody@127.0.0.1:1/none');
  const error = await client.connect().catch((cause) => cause);
  expect(isDatabaseAway(error)).toBe(true);
});

it('isDatabaseAway recognizes a connection that broke before the query', async () => {
  const client = new pg.Client('postgres://nobody@127.0.0.1:1/none');
  await client.connect().catch(() => undefined);
  const error = await client.query('select 1').catch((cause) => cause);
  expect(isDatabaseAway(error)).toBe(true);
  await client.end();
  const closed = await client.query('select 1').catch((cause) => cause);
  expect(isDatabaseAway(closed)).toBe(true);
});

const sqlError = (code: string, message = 'no') =>
  Object.assign(new Error(message), { code, severity: 'ERROR' });

describe('isDatabaseAway', () => {
  it.each([
    [new Error('timeout exceeded when trying to connect'), true],
    [new Error('Connection terminated unexpectedly'), true],
    [new Error('Client has encountered a connection error and is not queryable'), true],
    [new Error('Client was closed and is not queryable'), true],
    [new Error('Cannot use a pool after calling end on the pool'), true],
    [Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }), true],
    [Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }), true],
    [sqlError('57P01', 'terminating connection due to administrator command'), true],
    [sqlError('57P02'), true],
    [sqlError('57P03'), true],
    [sqlError('08P01'), true],
    [sqlError('53300'), true],
    [sqlError('25P03'), true],
    [sqlError('25006', 'cannot execute UPDATE in a read-only transaction'), true],
    [new NoServerError('read-write', [], []), true],
    [new UnsuitableServerError({ isStandby: true, isReadOnly: true }), true],
    [sqlError('42601', 'Client was closed and is not queryable'), false],
    [sqlError('23505'), false],
    [sqlError('57014'), false],
    [new TypeError('x is not a function'), false],
    [undefined, false],
  ])('isDatabaseAway of %s is %s', (error, away) => expect(isDatabaseAway(error)).toBe(away));
});

describe('isStatementTimeout', () => {
  it.each([
    ['57014', true],
    ['55P03', true],
    ['57P01', false],
    ['42601', false],
  ])('isStatementTimeout of %s is %s', (code, timeout) =>
    expect(isStatementTimeout(sqlError(code))).toBe(timeout),
  );
});
