import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { hostProblem } from './host-header.ts';

it.each([
  ['example.com', undefined],
  ['example.com:8080', undefined],
  ['example.com:', undefined],
  ['my_host', undefined],
  ['xn--bcher-kva.example', undefined],
  ['b%C3%BCcher.example', undefined],
  ['127.0.0.1:3000', undefined],
  ['[::1]:3000', undefined],
  ['[::ffff:127.0.0.1]', undefined],
  ['[v1.fe80::a]', undefined],
  ['', 'missing'],
  ['a b', 'malformed'],
  ['u@h', 'malformed'],
  ['a/b', 'malformed'],
  ['a?b', 'malformed'],
  ['a#b', 'malformed'],
  ['a:b', 'malformed'],
  ['a:1:2', 'malformed'],
  [':80', 'malformed'],
  ['::1', 'malformed'],
  ['[::1', 'malformed'],
  ['[]', 'malformed'],
  ['100%', 'malformed'],
  ['bücher.example', 'malformed'],
  ['a"b', 'malformed'],
  ['a\\b', 'malformed'],
  ['<a>', 'malformed'],
])('Host %j of HTTP/1.1 is %s', (host, problem) => {
  expect(hostProblem(request('1.1', host))).toBe(problem);
});

it('requires one Host, but none in HTTP/1.0', () => {
  expect(hostProblem(request('1.1'))).toBe('missing');
  expect(hostProblem(request('1.0'))).toBeUndefined();
  expect(hostProblem(request('1.0', ''))).toBeUndefined();
  expect(hostProblem(request('1.0', 'u@h'))).toBe('malformed');
  expect(hostProblem(request('1.1', 'a', 'a'))).toBe('repeated');
});

function request(version: string, ...hosts: readonly string[]): IncomingMessage {
  const [httpVersionMajor, httpVersionMinor] = version.split('.').map(Number);
  const rawHeaders = hosts.flatMap((host, index) => [index === 0 ? 'Host' : 'host', host]);
  return { rawHeaders, httpVersionMajor, httpVersionMinor } as unknown as IncomingMessage;
}
