import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeUser } from '../../../../test/make.ts';
import { fieldsRefused, refusalOf } from '../../../../test/refusal-of.ts';
import { findCredentials, type User } from '../../foundation/accounts/index.ts';
import { DomainError } from '../../foundation/errors.ts';
import {
  createSession,
  endOtherSessions,
  endSession,
  findSession,
  listSessions,
  signIn,
  signOut,
} from './index.ts';
import { idleMs, longestMs, renewalMs } from './session.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const password = 'correct horse';
const dayMs = 24 * 3_600_000;
let user: User;
let network: string;
let networks = 0;
beforeEach(async () => {
  user = await makeUser(test.ctx);
  networks += 1;
  network = `10.0.${networks >> 8}.${networks & 255}`;
});

const client = () => ({ network, userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' });
const enter = (more: { previousToken?: string; password?: string; email?: string } = {}) =>
  signIn(test.ctx, { email: user.email, password, client: client(), ...more });
const asUser = (id = user.id) => test.contextFor({ kind: 'user', userId: id });
const find = (token: string) => findSession(test.ctx, token);

describe('signing in', () => {
  it('signing in starts a session of its user', async () => {
    const { token, session } = await enter();
    expect(await find(token)).toEqual({
      ...session,
      accountId: user.accountId,
      userName: user.name,
      email: user.email,
      acceptedTerms: null,
      language: null,
      isRenewed: false,
    });
    expect(session.userAgent).toContain('Firefox');
    expect(session.expiresAt).toEqual(new Date(test.clock.now().getTime() + idleMs));
  });

  it('accepts the email address in any case', async () => {
    expect((await enter({ email: user.email.toUpperCase() })).session.userId).toBe(user.id);
  });

  it('stores neither the token nor the network', async () => {
    const { token, session } = await enter();
    const { rows } = await test.database.pool.query('select * from sessions where id = $1', [
      session.id,
    ]);
    expect(rows[0].token_hash).toEqual(createHash('sha256').update(token).digest());
    const { rows: attempts } = await test.database.pool.query('select * from attempts');
    const stored = JSON.stringify([...rows, ...attempts]);
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(network);
    expect(stored).not.toContain(Buffer.from(network).toJSON().data.join(','));
  });

  it("signing in ends the browser's previous session, and no other", async () => {
    const [first, second] = [await enter(), await enter()];
    const third = await enter({ previousToken: first.token });
    expect(await find(first.token)).toBeUndefined();
    expect(await find(second.token)).toBeDefined();
    expect(await find(third.token)).toBeDefined();
  });

  it('refuses a wrong password and an unknown address with the same message', async () => {
    const wrong = await refusalOf(enter({ password: 'incorrect horse' }));
    const unknown = await refusalOf(enter({ email: 'nobody@example.com' }));
    expect(wrong.details[0]?.reason).toBe('wrong_credentials');
    expect([unknown.kind, unknown.message, unknown.details]).toEqual([
      wrong.kind,
      wrong.message,
      wrong.details,
    ]);
  });

  it('fails if the password changes after its verification', async () => {
    const { passwordHash } = (await findCredentials(test.ctx, user.email))!;
    const other = await test.database.pool.connect();
    await other.query('begin');
    await other.query(`update users set password_hash = 'another' where id = $1`, [user.id]);
    const late = createSession(test.ctx, { userId: user.id, passwordHash }, client());
    await other.query('commit');
    other.release();
    expect(await late).toBeUndefined();
    expect(await listSessions(asUser())).toEqual([]);
  });
});

describe('a session', () => {
  it('a session lasts while it is used every 30 days, a year at most', async () => {
    const began = test.clock.now().getTime();
    const { token } = await enter();
    for (let day = 20; day < 365; day += 20) {
      test.clock.set(new Date(began + day * dayMs));
      const found = await find(token);
      expect(found?.isRenewed).toBe(true);
      const end = Math.min(began + day * dayMs + idleMs, began + longestMs);
      expect(found?.expiresAt).toEqual(new Date(end));
    }
    test.clock.set(new Date(began + longestMs - 1));
    expect(await find(token)).toBeDefined();
    test.clock.set(new Date(began + longestMs));
    expect(await find(token)).toBeUndefined();
  });

  it('a session ends without use', async () => {
    const { token } = await enter();
    test.clock.advance(idleMs - 1);
    expect(await find(token)).toBeDefined();
    const { token: other } = await enter();
    test.clock.advance(idleMs);
    expect(await find(other)).toBeUndefined();
    expect(await find(token)).toBeUndefined();
    expect(await listSessions(asUser())).toEqual([]);
  });

  it('a session is updated once an hour', async () => {
    const { token, session } = await enter();
    const use = async () => {
      const found = await find(token);
      const [listed] = await listSessions(asUser());
      expect(listed?.lastUsedAt).toEqual(found?.lastUsedAt);
      return [found?.isRenewed, (found?.lastUsedAt.getTime() ?? 0) - session.createdAt.getTime()];
    };
    test.clock.advance(renewalMs - 1);
    expect(await use()).toEqual([false, 0]);
    test.clock.advance(1);
    expect(await use()).toEqual([true, renewalMs]);
    expect(await use()).toEqual([false, renewalMs]);
  });

  it.each(['', 'x', 'a'.repeat(43), 'ä'.repeat(43)])(
    'a session is not found by the token %j',
    async (token) => {
      expect(await find(token)).toBeUndefined();
      await signOut(test.ctx, token);
    },
  );

  it('a session ends at sign-out', async () => {
    const { token } = await enter();
    await signOut(test.ctx, token);
    expect(await find(token)).toBeUndefined();
  });
});

describe("the user's sessions", () => {
  it("the user's sessions are listed, the last used first", async () => {
    const first = await enter();
    test.clock.advance(renewalMs);
    const second = await enter();
    const ids = async () => (await listSessions(asUser())).map((session) => session.id);
    expect(await ids()).toEqual([second.session.id, first.session.id]);
    test.clock.advance(renewalMs);
    await find(first.token);
    expect(await ids()).toEqual([first.session.id, second.session.id]);
  });

  it("the user's sessions can be ended by their user, one by one or all others", async () => {
    const [here, there, elsewhere] = [await enter(), await enter(), await enter()];
    const stranger = await makeUser(test.ctx);
    expect(await fieldsRefused(endSession(asUser(stranger.id), there.session.id))).toBe(
      'not_found',
    );
    await endOtherSessions(asUser(stranger.id), here.session.id);
    expect(await listSessions(asUser())).toHaveLength(3);
    await endSession(asUser(), there.session.id);
    expect(await find(there.token)).toBeUndefined();
    expect(await fieldsRefused(endSession(asUser(), there.session.id))).toBe('not_found');
    await endOtherSessions(asUser(), here.session.id);
    expect(await find(elsewhere.token)).toBeUndefined();
    expect(await find(here.token)).toBeDefined();
  });

  it("the user's sessions are at most a hundred; a new one ends the least recently used", async () => {
    const { passwordHash } = (await findCredentials(test.ctx, user.email))!;
    const begin = () => createSession(test.ctx, { userId: user.id, passwordHash }, client());
    const tokens: string[] = [];
    for (let i = 0; i < 101; i += 1) {
      test.clock.advance(1);
      tokens.push((await begin())!.token);
    }
    expect(await listSessions(asUser())).toHaveLength(100);
    expect(await find(tokens[0]!)).toBeUndefined();
    expect(await find(tokens[1]!)).toBeDefined();
  });

  it("the user's sessions can be read by signed-in users only", async () => {
    expect(() => listSessions(test.ctx)).toThrow(DomainError);
  });
});
