import { expect, it } from 'vitest';
import { createLog } from './log.ts';

const logged = (error: Error) => {
  const lines: string[] = [];
  createLog('info', { write: (line) => void lines.push(line) }).warn({ err: error }, 'lost');
  return lines[0] ?? '';
};

it('logs the message of an error without its connection', () => {
  const error = Object.assign(new Error('gone'), { code: '57P01', client: { secretKey: 1 } });
  const { err, msg } = JSON.parse(logged(error));
  expect(msg).toBe('lost');
  expect(err).toMatchObject({ message: 'gone', code: '57P01', stack: expect.any(String) });
  expect(err).not.toHaveProperty('client');
});

it('logs neither the arguments of a command nor a URL that is not valid', () => {
  const command = { name: 'auth', args: ['user', 'hunter2'] };
  expect(logged(Object.assign(new Error('WRONGPASS'), { command }))).not.toContain('hunter2');
  expect(logged(Object.assign(new Error('no'), { command: 'AUTH PLAIN' }))).toContain('AUTH PLAIN');
  const parse = () => new URL('redis://user:hunter2@:x');
  try {
    parse();
    expect.unreachable();
  } catch (error) {
    expect(logged(error as Error)).toContain('Invalid URL');
    expect(logged(error as Error)).not.toContain('hunter2');
  }
});

it('logs no values of rows that PostgreSQL refuses, but what it says of a deadlock', () => {
  const refused = Object.assign(new Error('violates check constraint "users_check"'), {
    ...{ code: '23514', severity: 'ERROR', table: 'users', constraint: 'users_check' },
    detail: 'Failing row contains (1, ana@example.com, $argon2id$v=19).',
    where: 'COPY users, line 1: "1\tana@example.com"',
  });
  for (const error of [refused, new AggregateError([refused], 'several failed')]) {
    expect(logged(error)).toContain('users_check');
    expect(logged(error)).not.toMatch(/ana@example\.com|argon2id/);
  }
  const detail = 'Process 1 waits for ShareLock on transaction 2; blocked by process 3.';
  expect(logged(Object.assign(new Error('deadlock'), { code: '40P01', detail }))).toContain(detail);
});
