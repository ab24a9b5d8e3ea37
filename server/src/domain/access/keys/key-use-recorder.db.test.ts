import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { findEmails } from '../../../../test/find-emails.ts';
import { makeKey, makePodcast, makeUser } from '../../../../test/make.ts';
import { makeSite } from '../../../../test/make-site.ts';
import { newId } from '../../../lib/uuid.ts';
import type { Geo, Place } from '../../../platform/geo/geo.ts';
import type { Context } from '../../foundation/context.ts';
import { createKeyUseRecorder, getKey } from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
beforeEach(() => test.clock.reset());
afterAll(() => test[Symbol.asyncDispose]());

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const places: Readonly<Record<string, Place>> = {
  berlin: { country: 'DE', network: 'AS3320 Deutsche Telekom AG' },
  munich: { country: 'DE', network: 'AS3320 Deutsche Telekom AG' },
  renamed: { country: 'DE', network: 'AS3320 Telekom' },
  mobile: { country: 'DE', network: 'AS3209 Vodafone GmbH' },
  vienna: { country: 'AT', network: 'AS3320 Deutsche Telekom AG' },
  nowhere: { country: null, network: null },
};
const geo: Geo = {
  locate: async (ip) => places[ip] ?? { country: null, network: null },
};

/** Records uses of a key one after another, in a process that ends with them. */
async function use(keyId: string, ...from: string[]) {
  await using recorder = createKeyUseRecorder(test.ctx, geo);
  for (const ip of from) recorder.note(keyId, ip);
}
async function makeUsedKey(...from: string[]) {
  const user = await makeUser(test.ctx);
  const { key } = await makeKey(test.ctx, user, { expiresInDays: 365 });
  if (from.length > 0) await use(key.id, ...from);
  return { user, key };
}
const emails = async ({ email }: { readonly email: string }) => {
  const { rows } = await test.database.pool.query(
    `select content from emails where template = 'key-new-place' and recipient = $1 order by id`,
    [email],
  );
  return rows.map(({ content }) => content);
};
const countriesTold = async (user: { readonly email: string }) =>
  (await emails(user)).map(({ country, network }) => `${country}, ${network}`);

describe('the last use', () => {
  it('the last use of a key is kept to the minute, with its country and network', async () => {
    const { key } = await makeUsedKey();
    const start = test.clock.now();
    expect(key.lastUse).toBeNull();
    test.clock.advance(59_999);
    await use(key.id, 'berlin');
    const { lastUse } = await getKey(test.ctx, key.id);
    expect(lastUse).toEqual({ at: start, ...places['berlin'] });
    test.clock.advance(1);
    await use(key.id, 'nowhere');
    expect((await getKey(test.ctx, key.id)).lastUse).toEqual({
      at: new Date(start.getTime() + minuteMs),
      country: null,
      network: null,
    });
    // These uses come from another process whose clock is behind.
    test.clock.set(start);
    await use(key.id, 'vienna');
    expect((await getKey(test.ctx, key.id)).lastUse?.country).toBeNull();
  });

  // KEY-21
  it('holds no address', async () => {
    const { key } = await makeUsedKey('203.0.113.77', '2001:db8::77');
    const { rows } = await test.database.pool.query(
      `select k::text || coalesce(p::text, '') as row from api_keys k
        left join api_key_places p on p.key_id = k.id where k.id = $1`,
      [key.id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].row).toContain(key.id);
    expect(rows[0].row).not.toMatch(/203\.0|2001:db8/);
  });

  it('the last use of a deleted key is not stored', async () => {
    const { key } = await makeUsedKey();
    await use(newId(), 'berlin');
    await using recorder = createKeyUseRecorder(test.ctx, geo);
    recorder.note(newId(), 'berlin');
    recorder.note(key.id, 'berlin');
    await recorder.flush();
    expect((await getKey(test.ctx, key.id)).lastUse?.country).toBe('DE');
  });
});

describe('a new place', () => {
  // KEY-21
  it('a new place is reported once, and only for a key that was in use', async () => {
    const { user, key } = await makeUsedKey('berlin', 'munich', 'renamed');
    expect(await emails(user)).toEqual([]);
    await use(key.id, 'munich', 'vienna', 'vienna', 'berlin');
    test.clock.advance(minuteMs);
    await use(key.id, 'vienna', 'renamed');
    expect(await emails(user)).toEqual([
      {
        name: user.name,
        key: 'A key',
        lastFour: key.lastFour,
        country: 'AT',
        network: 'AS3320 Deutsche Telekom AG',
        at: '2026-03-10T12:00:00.000Z',
        link: 'http://test.local/app/settings/keys',
      },
    ]);
  });

  // KEY-21
  it('a new place is another country, another network, or an unknown one', async () => {
    const { user, key } = await makeUsedKey('berlin');
    await use(key.id, 'mobile', 'vienna', 'nowhere');
    expect(await countriesTold(user)).toEqual([
      'DE, AS3209 Vodafone GmbH',
      'AT, AS3320 Deutsche Telekom AG',
      'null, null',
    ]);
    await use(key.id, 'nowhere');
    expect(await emails(user)).toHaveLength(3);
  });

  it('a new place is the second of two places from which a new key is used at once', async () => {
    const { user } = await makeUsedKey('berlin', 'vienna');
    expect(await countriesTold(user)).toEqual(['AT, AS3320 Deutsche Telekom AG']);
  });

  // KEY-21
  it('a new place is one that was not seen for thirty days', async () => {
    const start = test.clock.now();
    const { user, key } = await makeUsedKey('berlin');
    for (const days of [30, 60]) {
      test.clock.set(new Date(start.getTime() + days * dayMs));
      await use(key.id, 'berlin');
    }
    expect(await emails(user)).toEqual([]);
    test.clock.advance(30 * dayMs + minuteMs);
    await use(key.id, 'berlin');
    expect(await emails(user)).toHaveLength(1);
    const { rows } = await test.database.pool.query(
      'select from api_key_places where key_id = $1',
      [key.id],
    );
    expect(rows).toHaveLength(1);
    test.clock.set(start);
  });

  it('a new place is reported once if several processes see it at the same moment', async () => {
    const { user, key } = await makeUsedKey('berlin');
    await Promise.all([1, 2, 3].map(() => use(key.id, 'vienna', 'mobile')));
    expect((await countriesTold(user)).sort()).toEqual([
      'AT, AS3320 Deutsche Telekom AG',
      'DE, AS3209 Vodafone GmbH',
    ]);
  });

  it('a new place is the later of two if several processes see the first use of a key', async () => {
    for (let time = 0; time < 5; time += 1) {
      const { user, key } = await makeUsedKey();
      await Promise.all([use(key.id, 'berlin'), use(key.id, 'vienna')]);
      expect(await emails(user)).toHaveLength(1);
    }
  });

  it('a new place is not kept alive by uses of its network in another country', async () => {
    const start = test.clock.now();
    const { user, key } = await makeUsedKey('vienna', 'berlin', 'mobile');
    for (const days of [20, 40]) {
      test.clock.set(new Date(start.getTime() + days * dayMs));
      await use(key.id, 'berlin');
    }
    expect(await emails(user)).toHaveLength(2);
    await use(key.id, 'vienna');
    expect(await emails(user)).toHaveLength(3);
    test.clock.set(start);
  });

  it('a new place is reported for each key separately', async () => {
    const one = await makeUsedKey('berlin');
    const other = await makeUsedKey('vienna');
    await using recorder = createKeyUseRecorder(test.ctx, geo);
    for (const { key } of [one, other])
      for (const ip of ['berlin', 'vienna']) recorder.note(key.id, ip);
    await recorder.flush();
    expect(await countriesTold(one.user)).toEqual(['AT, AS3320 Deutsche Telekom AG']);
    expect(await countriesTold(other.user)).toEqual(['DE, AS3320 Deutsche Telekom AG']);
  });
});

describe('the recorder', () => {
  it('looks up a place once a minute, and writes what is noted when it ends', async () => {
    const { key } = await makeUsedKey();
    const asked: string[] = [];
    const counting: Geo = {
      locate: async (ip) => {
        asked.push(ip);
        return { country: 'DE', network: null };
      },
    };
    {
      await using recorder = createKeyUseRecorder(test.ctx, counting);
      for (let count = 0; count < 1_000; count += 1) recorder.note(key.id, '192.0.2.1');
      recorder.note(key.id, '192.0.2.2');
      test.clock.advance(minuteMs);
      for (let count = 0; count < 1_000; count += 1) recorder.note(key.id, '192.0.2.1');
      expect(asked).toEqual([]);
    }
    expect(asked).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.1']);
    expect((await getKey(test.ctx, key.id)).lastUse?.country).toBe('DE');
  });

  it('records a limited number of addresses', async () => {
    const { key } = await makeUsedKey();
    let asked = 0;
    const counting: Geo = {
      locate: async () => {
        asked += 1;
        return { country: 'DE', network: null };
      },
    };
    {
      await using recorder = createKeyUseRecorder(test.ctx, counting);
      for (let count = 0; count < 50_000; count += 1) recorder.note(key.id, `address ${count}`);
      // Closing has little time.
      await recorder.flush();
    }
    expect(asked).toBe(20_000);
  });

  it('logs that the database is away, without a key or address', async () => {
    const said: unknown[] = [];
    const log = { ...test.ctx.log, warn: (...words: unknown[]) => void said.push(words) };
    const away = { ...test.ctx, log, db: undefined } as unknown as Context;
    const { key } = await makeUsedKey();
    {
      await using recorder = createKeyUseRecorder(away, geo);
      recorder.note(key.id, '192.0.2.9');
    }
    expect(said).toHaveLength(1);
    expect(JSON.stringify(said)).not.toContain('192.0.2.9');
    expect((await getKey(test.ctx, key.id)).lastUse).toBeNull();
  });

  it("a new place is reported with the site's URL for the key of a site", async () => {
    const user = await makeUser(test.ctx);
    const show = await makePodcast(test.ctx, { owner: user });
    const { keyId, siteUrl } = await makeSite(test.ctx, user, [show]);
    await use(keyId, 'berlin', 'vienna');
    expect(await emails(user)).toEqual([]);
    expect((await findEmails(test, user.email)).at(-1)).toMatchObject({
      template: 'site-new-place',
      values: { address: siteUrl, country: 'AT' },
    });
  });
});
