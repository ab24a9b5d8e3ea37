import fastify, { type FastifyBaseLogger } from 'fastify';
import { expect, it, vi } from 'vitest';
import { DomainError } from '../../domain/foundation/errors.ts';
import { DiskReserveError } from '../../platform/blob-store/disk-room.ts';
import { createLog } from '../../platform/log/log.ts';
import type { HttpContext } from '../http-context.ts';
import { HttpError } from '../http-errors.ts';
import { installErrorHandling, pathForLog, toFailure } from './error-handling.ts';

const answered = (code: string) =>
  Object.assign(new Error('of the database'), { severity: 'ERROR', code }) as never;

it.each(['40001', '40P01', '23503'])(
  'a conflict with another request (%s) may be tried again',
  (code) => {
    expect(toFailure(answered(code))).toMatchObject({
      status: 503,
      code: 'service_unavailable',
      headers: { 'Retry-After': '1' },
    });
  },
);

// ERR-15
it('any other error of the database is an internal error, whose text is not sent', () => {
  expect(toFailure(answered('22021'))).toEqual({
    status: 500,
    code: 'internal_error',
    message: expect.not.stringContaining('database'),
  });
});

/** A server whose routes `/app/api/0` and so on fail with these errors, and the lines of its log. */
function fail(errors: readonly Error[]) {
  const lines: string[] = [];
  const log: FastifyBaseLogger = createLog('warn', { write: (line) => void lines.push(line) });
  const server = fastify({ loggerInstance: log });
  const installation = { baseUrl: 'http://test.local' };
  installErrorHandling(server, { ctx: { installation } } as unknown as HttpContext);
  for (const [n, error] of errors.entries()) {
    server.get(`/app/api/${n}`, () => Promise.reject(error));
  }
  return { server, lines, read: () => lines.map((line) => JSON.parse(line)) };
}

it('a refusal is one short line of the log, and a fault has its stack', async () => {
  const errors = [
    new DomainError('service_unavailable', 'Busy.'),
    new HttpError({ status: 507, code: 'service_unavailable', message: 'No room.' }),
    new DiskReserveError(1),
    new DomainError('service_unavailable', 'A file is away.', { cause: new Error('ENOENT') }),
    new TypeError('a mistake'),
  ];
  const { server, lines, read } = fail(errors);
  for (const n of errors.keys()) await server.inject(`/app/api/${n}`);
  const found = read();
  expect(found.map(({ level, reason, err }) => [level, reason ?? err.message])).toEqual([
    [40, 'Busy.'],
    [40, 'No room.'],
    [40, 'no room for 1 bytes beside the reserve'],
    [50, expect.stringContaining('A file is away.')],
    [50, 'a mistake'],
  ]);
  for (const line of lines.slice(0, 3)) expect(line).not.toContain('stack');
  for (const { err } of found.slice(3)) expect(err.stack).toEqual(expect.any(String));
});

it('an outage is one line of the log in ten seconds, with the number of the others, and a fault always has one', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const noConnection = new Error('timeout exceeded when trying to connect');
    const busy = new DomainError('service_unavailable', 'Busy.');
    const cause = new Error('ENOENT');
    const missing = new DomainError('service_unavailable', 'A file is away.', { cause });
    const { server, read } = fail([noConnection, busy, missing, new TypeError('a mistake')]);
    for (let n = 0; n < 40; n += 1) await server.inject(`/app/api/${n % 4}`);
    const texts = () => read().map(({ err, reason = err.message, omitted }) => [reason, omitted]);
    const away = 'A file is away.: ENOENT';
    const once = [noConnection.message, 'Busy.', away];
    const first = [...once, ...Array(10).fill('a mistake')];
    expect(texts()).toEqual(first.map((text) => [text, undefined]));
    vi.advanceTimersByTime(10_000);
    for (let n = 0; n < 6; n += 1) await server.inject(`/app/api/${n % 3}`);
    expect(texts().slice(13)).toEqual(once.map((text) => [text, 9]));
    expect((await server.inject('/app/api/0')).statusCode).toBe(503);
  } finally {
    vi.useRealTimers();
  }
});

it.each([
  ['/preview/a-secret/one.mp3?x=1', '/preview/…'],
  ['/@pod.example/preview/a-secret', '/@pod.example/preview/…'],
  ['/@pod.example/first?x=1', '/@pod.example/first'],
])('the log has %s as %s', (url, logged) => expect(pathForLog(url)).toBe(logged));
