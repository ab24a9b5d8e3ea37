import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { DomainError, invalid, notFound } from '../domain/foundation/errors.ts';
import { CommandError, describeFailure, isFault } from './describe-failure.ts';

async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing failed');
}

describe('a refusal', () => {
  it('a refusal with one field is one line', () => {
    expect(describeFailure(notFound('episode'))).toBe('There is no such episode.');
    expect(describeFailure(invalid('slug', 'The slug x is taken.'))).toBe(
      'slug: The slug x is taken.',
    );
    const details = [{ field: 'title', message: 'A title has 1 to 500 characters.' }];
    expect(
      describeFailure(new DomainError('invalid', 'The episode was not saved.', { details })),
    ).toBe('The episode was not saved. title: A title has 1 to 500 characters.');
  });

  it('a refusal with several has a line for each', () => {
    const details = ['a', 'b'].map((field) => ({ field, message: 'No.' }));
    expect(describeFailure(new DomainError('invalid', 'Refused.', { details }))).toBe(
      'Refused.\n  a: No.\n  b: No.',
    );
  });

  it('a refusal is not an internal error', () => {
    expect(isFault(invalid('slug', 'Taken.'))).toBe(false);
    expect(isFault(new CommandError('No.'))).toBe(false);
    expect(isFault(new TypeError('x is not a function'))).toBe(true);
    expect(isFault(Object.assign(new Error('syntax error'), { severity: 'ERROR' }))).toBe(true);
  });

  it('a refusal is the first error, not a later one from closing', () => {
    const first = new CommandError('The first thing.');
    expect(describeFailure(new SuppressedError(new Error('closing'), first))).toBe(first.message);
  });
});

describe('system errors', () => {
  it('system errors are explained', async () => {
    const missing = await failureOf(() => readFile('/nowhere/at/all'));
    expect(describeFailure(missing)).toBe('There is no file /nowhere/at/all.');
    const folder = await failureOf(() => open(tmpdir(), 'w'));
    expect(describeFailure(folder)).toBe(`${tmpdir()} is a folder, not a file.`);
  });

  it('system errors of the network name the address, even if the host has several', async () => {
    const refused = await failureOf(() => once(connect(1, '127.0.0.1'), 'connect'));
    expect(describeFailure(refused)).toBe('Nothing is listening at 127.0.0.1:1.');
    expect(describeFailure(new AggregateError([refused]))).toBe(
      'Nothing is listening at 127.0.0.1:1.',
    );
  });

  it.each([
    [
      '3D000',
      'database "x" does not exist',
      'Database "x" does not exist.',
      'create the database first',
    ],
    ['28000', 'role "y" does not exist', 'Role "y" does not exist.', 'the user in DATABASE_URL'],
    [
      '28P01',
      'password authentication failed for user "y"',
      'Password',
      'password in DATABASE_URL',
    ],
    ['42501', 'permission denied for schema public', 'Permission', 'OWNER TO'],
  ])('system errors of PostgreSQL name the setting: %s', (code, message, said, advice) => {
    const error = Object.assign(new Error(message), { code, severity: 'FATAL' });
    expect(isFault(error)).toBe(false);
    const described = describeFailure(error);
    expect(described).toContain(said);
    expect(described).toContain('DATABASE_URL');
    expect(described).toContain(advice);
  });

  it('system errors of other kinds keep their message', () => {
    expect(describeFailure(new Error('the disk is upside down'))).toBe('The disk is upside down.');
    expect(describeFailure('odd')).toBe('odd');
  });
});
