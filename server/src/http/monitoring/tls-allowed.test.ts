import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createLog } from '../../platform/log/log.ts';
import { createMetricsServer } from './metrics.ts';

async function serve(domains: { find(host: string): string | undefined; isCurrent(): boolean }) {
  const server = createMetricsServer(new Registry(), createLog('silent'), domains);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ask: async (query: string) =>
      (await fetch(`http://127.0.0.1:${port}/tls-allowed${query}`)).status,
    [Symbol.dispose]: () => void server.close(),
  };
}

// DOMAIN-6
it('/tls-allowed is 200 for verified domains alone', async () => {
  const find = (host: string) => (host === 'pod.example' ? 'show' : undefined);
  using server = await serve({ find, isCurrent: () => true });
  for (const query of ['?domain=pod.example', '?domain=POD.example.', '?x=1&domain=pod.example'])
    expect(await server.ask(query), query).toBe(200);
  for (const query of [
    ...[
      '',
      '?',
      '?domain=',
      '?domain=other.example',
      '?domain=xpod.example',
      '?Domain=pod.example',
    ],
    ...['?domain=%E0%A4%A', '?domain=other.example&domain=pod.example', '?domain=.pod.example'],
  ])
    expect(await server.ask(query), query).toBe(404);
});

it('/tls-allowed is 503 when the database has been away for too long', async () => {
  using server = await serve({ find: () => 'show', isCurrent: () => false });
  expect(await server.ask('?domain=pod.example')).toBe(503);
});
