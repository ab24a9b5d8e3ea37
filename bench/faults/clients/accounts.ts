import { setTimeout as sleep } from 'node:timers/promises';
import type { MailHost } from '../../../server/test/hosts/mail-host.ts';
import { password } from '../world.ts';
import { Asker, type Client, dataOf, isClear, type Surroundings } from './client.ts';

const pauseMs = 700;
/** A change reaches every process at once, or within a second if a notification is lost. */
const spreadsWithinMs = 1_500;
/** The longest pause after a mail server that is away, and the next run of the job. */
const sentWithinMs = 400_000;

/** Creates and revokes keys: an acknowledged one works, a revoked one doesn't. */
export function createKeyMaker(around: Surroundings): Client {
  const { findings } = around;
  const asker = new Asker(around);
  const works = new Map<string, string>();
  let made = 0;

  const tryKey = async (secret: string, status: number): Promise<void> => {
    const answer = await asker.insist('/v1/me', { key: secret });
    if (answer !== undefined && answer.status !== status)
      findings.problem(`a key: ${answer.status} instead of ${status}`);
  };

  const create = async (): Promise<void> => {
    made += 1;
    const body = {
      ...{ name: `key ${made}`, scopes: ['podcasts:read'], podcasts: 'all' },
      ...{ expires_in_days: 30, current_password: password },
    };
    const answer = await asker.ask('/app/api/keys', { method: 'POST', body });
    if (answer?.status === 201) {
      const { secret, id, key } = dataOf<{ secret: string; id?: string; key?: { id: string } }>(
        answer,
      );
      works.set(id ?? key?.id ?? '', secret);
      findings.count('keys');
      await tryKey(secret, 200);
    } else if (isClear(answer)) await revokeUnknown();
  };

  /** Of requests without a response: there may be too many keys. */
  const revokeUnknown = async (): Promise<void> => {
    const answer = await asker.insist('/app/api/keys');
    const keys = answer === undefined ? [] : dataOf<{ id: string; name: string }[]>(answer);
    for (const { id, name } of keys)
      if (name.startsWith('key ') && !works.has(id))
        await asker.insist(`/app/api/keys/${id}`, { method: 'DELETE' });
  };

  const revoke = async (id: string, secret: string): Promise<void> => {
    works.delete(id);
    const answer = await asker.insist(`/app/api/keys/${id}`, { method: 'DELETE' });
    if (answer === undefined) return;
    await sleep(spreadsWithinMs);
    await tryKey(secret, 401);
  };

  return {
    name: 'keys',
    async step() {
      await create();
      const [oldest] = works;
      if (oldest !== undefined && works.size > 5) await revoke(...oldest);
      await sleep(pauseMs);
    },
    async check() {
      for (const secret of works.values()) await tryKey(secret, 200);
    },
  };
}

/** Invites people: each acknowledged invitation is sent once, or again after a kill. */
export function createInviter(around: Surroundings, mail: MailHost): Client {
  const { world, findings } = around;
  const asker = new Asker(around);
  const invited: string[] = [];
  let made = 0;
  const path = `/app/api/podcasts/${world.saved.id}/invitations`;

  return {
    name: 'invite',
    async step() {
      made += 1;
      const email = `guest-${made}@example.com`;
      const answer = await asker.ask(path, { method: 'POST', body: { email, role: 'editor' } });
      if (answer?.status === 201) {
        invited.push(email);
        findings.count('invitations');
        const { id } = dataOf<{ id: string }>(answer);
        // There may be few open ones. Its email is sent nevertheless.
        if (made % 2 === 0) await asker.insist(`${path}/${id}`, { method: 'DELETE' });
      } else if (isClear(answer) && answer.status !== 429)
        findings.problem(`invitation: ${answer.status} ${answer.body}`);
      await sleep(pauseMs);
    },
    async check() {
      const missing = () => {
        const got = new Set(mail.received.flatMap(({ to }) => to));
        return invited.filter((email) => !got.has(email));
      };
      const untilMs = Date.now() + sentWithinMs;
      while (missing().length > 0 && Date.now() < untilMs) await sleep(200);
      if (missing().length > 0) findings.problem(`emails were not sent: ${missing().join(' ')}`);
      const ids = mail.received.map(({ messageId }) => messageId);
      findings.count('emails', new Set(ids).size);
      findings.count('emails sent again', ids.length - new Set(ids).size);
    },
  };
}
