import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Certificate,
  makeCertificate,
  testHost,
} from '../../../../../test/hosts/certificate.ts';
import {
  openPingTest,
  type PingedSite,
  type PingTest,
} from '../../../../../test/open-ping-test.ts';
import { useOneDatabase } from '../../../../../test/use-one-database.ts';
import { newId } from '../../../../lib/uuid.ts';
import { countPingBacklog, schedulePing } from './index.ts';
import { claimPings } from './queue.sql.ts';
import { sendPing } from './send-ping.ts';

const certificate = makeCertificate();
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

describe.skipIf(certificate === undefined)('a ping', () => {
  const databases = useOneDatabase();
  let pings: PingTest;
  let site: PingedSite;
  beforeEach(async () => {
    pings = await openPingTest(certificate as Certificate, databases);
    site = await pings.makeSite();
  });
  afterEach(() => pings[Symbol.asyncDispose]());

  const change = async (of = site) => {
    await pings.addChange(of);
    await schedulePing(pings.test.ctx, of.id);
  };
  const state = async (of = site) =>
    (await pings.rows('select * from site_pings where site_id = $1', [of.id]))[0];
  const now = () => pings.test.clock.now();
  const after = (ms: number) => new Date(now().getTime() + ms);
  const seqs = () => pings.received.map(({ body }) => JSON.parse(body).seq);
  const call = (seq: number) =>
    pings.rows(
      `insert into site_calls values ($1, $2, $3) on conflict (site_id)
       do update set after_seq = excluded.after_seq, called_at = excluded.called_at`,
      [site.id, seq, now()],
    );

  // SITE-39, SITE-40
  it('a ping names the site and its newest seq, signed with its secret', async () => {
    await change();
    await pings.send();
    const [ping] = pings.received;
    expect(ping?.path).toBe(`/${site.id}/wp-json/podstead/v1/ping`);
    expect(ping?.body).toBe(`{"site_id":"${site.id}","seq":1}`);
    expect(ping?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'test',
    });
    expect(ping?.headers).not.toHaveProperty('authorization');
    const [, time = '', signature] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(ping?.headers['podstead-signature'])) ?? [];
    expect(Number(time)).toBe(now().getTime() / 1000);
    const expected = createHmac('sha256', Buffer.from(site.pingSecret, 'utf8'));
    expect(signature).toBe(
      expected
        .update(`${time}.`)
        .update(ping?.body ?? '')
        .digest('hex'),
    );
  });

  it.each([
    ['wp-json/', '/blog/wp-json/podstead/v1/ping'],
    ['?rest_route=/', '/blog/?rest_route=/podstead/v1/ping'],
    ['index.php?rest_route=/', '/blog/index.php?rest_route=/podstead/v1/ping'],
  ])('a ping goes to the right address under %s', async (form, path) => {
    const restRoot = `https://${testHost}:${pings.host.port}/blog/${form}`;
    const other = await pings.makeSite({ restRoot });
    await change(other);
    await pings.send();
    expect(pings.received.map((ping) => ping.path)).toEqual([path]);
  });

  it('a ping is sent once, until there is something new', async () => {
    await change();
    await pings.send();
    await pings.send();
    expect(await state()).toMatchObject({ due_at: null, claim: null, sent_seq: 1, failures: 0 });
    await schedulePing(pings.test.ctx, site.id);
    pings.test.clock.advance(hour);
    await pings.send();
    expect(seqs()).toEqual([1]);
  });

  // SITE-39
  it('a ping is sent at most once in ten seconds, with any number of changes', async () => {
    await change();
    await pings.send();
    for (let at = 1; at <= 9; at += 1) {
      pings.test.clock.advance(second);
      await change();
      await pings.send();
    }
    expect(seqs()).toEqual([1]);
    pings.test.clock.advance(second);
    await change();
    await pings.send();
    expect(seqs()).toEqual([1, 11]);
  });

  it('a ping is not delayed by further changes', async () => {
    await change();
    const { due_at } = (await state()) ?? {};
    pings.test.clock.advance(3 * second);
    await change();
    expect((await state())?.['due_at']).toEqual(due_at);
  });

  it('a ping is not sent if the site has already asked for later changes', async () => {
    await change();
    await call(1);
    await pings.send();
    expect(pings.received).toEqual([]);
    expect(await state()).toMatchObject({ due_at: null, claim: null, sent_at: null });
  });

  it('a ping is repeated after ten seconds if there were changes while it was sent', async () => {
    await change();
    pings.respond(async (_, response) => {
      await change();
      response.end();
    });
    await pings.send();
    expect(await state()).toMatchObject({ due_at: after(10 * second), sent_seq: 1 });
    pings.respond(undefined);
    pings.test.clock.advance(10 * second);
    await pings.send();
    expect(seqs()).toEqual([1, 2]);
  });

  // SITE-39
  it('a ping is repeated after ten seconds if there were changes between its claim and its sending', async () => {
    const { ctx } = pings.test;
    await change();
    const claim = {
      id: newId(),
      at: now(),
      until: after(minute),
      limit: 1,
      first: 'oldest',
      busyHosts: [],
      busyAccounts: [],
    } as const;
    const [claimed] = await claimPings(ctx.db, 'regular', claim);
    await change();
    const { signal } = new AbortController();
    const limits = { connectTimeoutMs: 20_000, timeoutMs: 20_000 };
    const sending = { signal, limits, counts: pings.counts };
    await sendPing(ctx, claimed!, { ...sending, limited: (work) => work() });
    expect(seqs()).toEqual([2]);
    expect(await state()).toMatchObject({ due_at: after(10 * second) });
  });

  it('a ping is repeated in the same way after a retry', async () => {
    await change();
    pings.respond((_, response) => void response.writeHead(500).end());
    await pings.send();
    pings.test.clock.advance(minute);
    pings.respond(async (_, response) => {
      await change();
      response.end();
    });
    await pings.send();
    expect(await state()).toMatchObject({ due_at: after(10 * second), failures: 0 });
  });

  // SITE-39
  it('a ping is for active sites only', async () => {
    const pending = await pings.makeSite({ active: false });
    await change(pending);
    expect(await state(pending)).toBeUndefined();
    await change();
    await pings.rows('update api_keys set revoked_at = now() where id = $1', [site.keyId]);
    await pings.send();
    expect(pings.received).toEqual([]);
    expect(await state()).toMatchObject({ due_at: null, claim: null });
    await change();
    expect(await state()).toMatchObject({ due_at: null });
  });

  it('a ping is for sites whose key still works', async () => {
    await change();
    pings.test.clock.advance(366 * 24 * hour);
    await pings.send();
    expect(pings.received).toEqual([]);
  });

  // SITE-41
  it('a ping is retried after 1, 5, 30 minutes, 2, 6 hours, daily for a week, then given up', async () => {
    pings.respond((_, response) => void response.writeHead(503).end());
    await change();
    const day = 24 * hour;
    const waits = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, ...Array(7).fill(day)];
    for (const [at, wait] of waits.entries()) {
      await pings.send();
      expect(await state()).toMatchObject({
        failures: at + 1,
        due_at: after(wait),
        last_error: '503',
      });
      pings.test.clock.advance(wait - second);
      // A retry never comes earlier, not even after further changes.
      await change();
      await pings.send();
      expect(pings.received).toHaveLength(at + 1);
      pings.test.clock.advance(second);
    }
    expect(await countPingBacklog(pings.test.ctx)).toEqual({ due: 1, failing: 1, givenUp: 0 });
    await pings.send();
    expect(await state()).toMatchObject({ failures: 13, due_at: null, claim: null });
    expect(await countPingBacklog(pings.test.ctx)).toEqual({ due: 0, failing: 0, givenUp: 1 });
    await change();
    pings.test.clock.advance(30 * day);
    await pings.send();
    expect(pings.received).toHaveLength(13);
  });

  // SITE-41
  it('a ping is sent again after a site that was given up has called', async () => {
    await change();
    await pings.send();
    await pings.rows('update site_pings set failures = 13, sent_seq = 0');
    await change();
    expect(await state()).toMatchObject({ due_at: null });
    pings.test.clock.advance(hour);
    await call(1);
    await change();
    expect(await state()).toMatchObject({ due_at: now(), failures: 0, first_failed_at: null });
    await pings.send();
    expect(seqs()).toEqual([1, 3]);
  });

  it('a ping waits a minute after a failure, however often the site calls', async () => {
    pings.respond((_, response) => void response.writeHead(404).end());
    await change();
    await pings.send();
    const retryAt = after(minute);
    for (let at = 0; at < 5; at += 1) {
      pings.test.clock.advance(10 * second);
      await call(at % 2);
      await change();
      await pings.send();
    }
    expect(await state()).toMatchObject({ due_at: retryAt });
    expect(pings.received).toHaveLength(1);
    pings.test.clock.advance(10 * second);
    await pings.send();
    expect(pings.received).toHaveLength(2);
  });

  it('a ping is due at most ten seconds later after the clock was set back', async () => {
    await change();
    await pings.send();
    pings.test.clock.advance(-365 * 24 * hour);
    await change();
    expect((await state())?.['due_at']).toEqual(after(10 * second));
  });

  it('a ping does not wait for a time in the far future after the clock was set back', async () => {
    pings.respond((_, response) => void response.writeHead(503).end());
    await change();
    await pings.send();
    pings.test.clock.advance(-365 * 24 * hour);
    pings.respond(undefined);
    await pings.send();
    expect(seqs()).toEqual([1, 1]);
  });
});
