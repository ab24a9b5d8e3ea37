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
