import { expect, it } from 'vitest';
import { createLog } from './log.ts';

it('logs the message of an error without its connection', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const error = Object.assign(new Error('gone'), { code: '57P01', client: { secretKey: 1 } });
  log.warn({ err: error }, 'lost');
  const { err, msg } = JSON.parse(lines[0] ?? '');
  expect(msg).toBe('lost');
  expect(err).toMatchObject({ message: 'gone', code: '57P01', stack: expect.any(String) });
  expect(err).not.toHaveProperty('client');
});
