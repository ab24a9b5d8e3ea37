import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, vi } from 'vitest';
import { rollWebhookSecret } from '../../src/domain/exchange/webhooks/index.ts';
import { updateEpisode } from '../../src/domain/publishing/episodes/index.ts';
import { makeCertificate } from '../hosts/certificate.ts';
import { makeEpisode, makePodcast } from '../make.ts';
import { openWebhookTest } from '../open-webhook-test.ts';
import { patience } from '../patience.ts';

/** Runs the receiver of docs/webhooks.md, behind a server with a certificate. */

const document = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
const [, example = ''] = /^```js\n(.*?)^```$/ms.exec(document) ?? [];
const certificate = makeCertificate();

/** Starts the example on a free port. Its lines of output come one after the other. */
async function startReceiver(folder: string, secret: string) {
  const file = join(folder, 'receiver.mjs');
  await writeFile(file, example);
  const child = spawn(process.execPath, [file], {
    env: { WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = createInterface(child.stdout);
  const [first] = (await once(output, 'line')) as [string];
  const lines: string[] = [];
  output.on('line', (line) => lines.push(line));
  return {
    lines,
    port: Number(/\d+$/.exec(first)?.[0]),
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** Resolves to the status. */
async function post(port: number, body: string, headers: Record<string, string>): Promise<number> {
  const sent = request({ host: '127.0.0.1', port, method: 'POST', path: '/hook', headers });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

// HOOK-3, HOOK-7
it.skipIf(certificate === undefined)(
  'the receiver of docs/webhooks.md accepts real deliveries and refuses forged ones',
  async () => {
    await using hooks = await openWebhookTest(certificate);
    const { ctx, clock, config } = hooks.test;
    clock.set(new Date());
    const podcast = await makePodcast(ctx);
    clock.advance(1);
    const { webhook, secret } = await hooks.makeWebhook(podcast);
    await using receiver = await startReceiver(config.dataDir, secret);
    const statuses: number[] = [];
    const signatures = () => `${hooks.received.at(-1)?.headers['podstead-signature']}`;
    hooks.respond((_, response) => {
      const headers = { 'podstead-signature': signatures() };
      void post(receiver.port, hooks.received.at(-1)?.body ?? '', headers).then((status) => {
        statuses.push(status);
        response.writeHead(status).end();
      });
    });
    const episode = await makeEpisode(ctx, podcast, { title: 'The lighthouse' });
    await hooks.send();
    // Until the receiver has the new secret, it accepts the signature of the old one.
    const ref = { podcastId: podcast.id, webhookId: webhook.id };
    const rolled = await rollWebhookSecret(ctx, ref);
    await updateEpisode(ctx, episode.id, { title: 'The lighthouse, again' });
    await hooks.send();
    expect(statuses).toEqual([204, 204]);
    await vi.waitUntil(() => receiver.lines.length === 2, patience);
    const printed = receiver.lines.map((line) => JSON.parse(line) as unknown);
    expect(printed).toEqual([
      { type: 'episode.published', episodeId: episode.id, title: 'The lighthouse' },
      { type: 'episode.updated', episodeId: episode.id, title: 'The lighthouse, again' },
    ]);

    const body = JSON.stringify({ id: 'x', type: 'ping', data: null });
    const sign = (by: string, seconds: number) =>
      `t=${seconds},v1=${createHmac('sha256', by).update(`${seconds}.${body}`).digest('hex')}`;
    const now = Math.floor(Date.now() / 1000);
    const forged = [
      ...['', 't=,v1=', `t=${now}`, `t=${now},v1=00`, `t=x,v1=${'0'.repeat(64)}`],
      ...[sign('whsec_other', now), sign(rolled.secret, now), sign(secret, now - 301)],
      // Of the same body, at another time.
      sign(secret, now).replace(/t=\d+/, `t=${now - 1}`),
    ];
    for (const header of forged)
      expect(await post(receiver.port, body, { 'podstead-signature': header }), header).toBe(401);
    const valid = { 'podstead-signature': sign(secret, now) };
    expect(await post(receiver.port, `${body} `, valid)).toBe(401);
    expect(await post(receiver.port, 'x'.repeat(2_000_001), valid)).toBe(413);
    expect(await post(receiver.port, body, valid)).toBe(204);
  },
);

it('docs/webhooks.md has no part of the receiver that is cut off', () => {
  expect(example).toContain('timingSafeEqual');
  expect(example).toContain('server.listen');
});
