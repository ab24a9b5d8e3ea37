import { randomBytes } from 'node:crypto';
import {
  type HostNameProblem,
  mostHostChars,
  mostLabelChars,
  parseHostName,
} from '../../../lib/host-name.ts';
import {
  type AttemptLimit,
  consumeAttempt,
  findUser,
  findUserOfAccount,
} from '../../foundation/accounts/index.ts';
import { appUrl } from '../../foundation/addresses.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { queueEmail } from '../../foundation/emails/index.ts';
import { invalid, notFound, requireFound, type SaidMessage } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { allows, authorize, roleOf } from '../../foundation/permissions/index.ts';
import { requireUser } from '../../foundation/principal.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { type Expectation, revise } from '../../foundation/revisions/index.ts';
import { endFeedRedirects, getPodcast, lockPodcast } from '../podcasts/index.ts';
import { checkNow, limitChecks } from './check-domain.ts';
import { type ExpectedRecords, expectedRecords, isOwnHost, type OwnDomain } from './domain.ts';
import { deleteDomain, insertDomain, selectDomain } from './domains.sql.ts';

const hostRefusals: Readonly<Record<HostNameProblem, SaidMessage>> = {
  form: sayRefusal('domain_form'),
  characters: sayRefusal('domain_characters'),
  length: sayRefusal('domain_length', { max: mostHostChars, limit: mostLabelChars }),
  port: sayRefusal('domain_port'),
  address: sayRefusal('domain_address'),
  single_label: sayRefusal('domain_single_label'),
};

/** The owner gets an email about each domain that a member sets. */
const emailsToOwner: AttemptLimit = {
  name: 'domains-set',
  most: 20,
  windowMs: 24 * 3_600_000,
};

/** A domain with the records that verify it. */
export interface DomainSetup {
  /** Null: the show has none. */
  readonly domain: OwnDomain | null;
  readonly expected: ExpectedRecords | null;
  /** Where all domains have to lead. */
  readonly target: readonly string[];
}

/** The own domain of a show; for its owner and admins. */
export async function getDomain(ctx: Context, podcastId: string): Promise<DomainSetup> {
  await authorize(ctx, 'domain.manage', { podcastId });
  return toSetup(ctx, await selectDomain(ctx.db, podcastId));
}

function toSetup({ installation }: Context, domain: OwnDomain | undefined): DomainSetup {
  const target = installation.domainTarget;
  const expected = domain === undefined ? null : expectedRecords(domain, target);
  return { domain: domain ?? null, expected, target };
}

/**
 * Sets the own domain of a show and checks it. The one before stops working at once, and is free for
 * others. Setting the same again only checks it. If the owner has not set it themselves, they get an
 * email, and decide whether subscribers are led there (DOMAIN-13).
 */
export async function setDomain(
  ctx: Context,
  podcastId: string,
  text: string,
  expectation?: Expectation,
): Promise<OwnDomain> {
  const { membership } = await authorize(ctx, 'domain.manage', { podcastId });
  const host = parseOwnHost(ctx, text);
  await limitChecks(ctx, podcastId);
  const mayMove = allows(roleOf(membership), 'podcast.move');
  if (!mayMove) await consumeAttempt(ctx, [emailsToOwner, podcastId]);
  await transact(ctx, async (tx) => {
    if ((await lockPodcast(tx.db, podcastId)) === undefined) throw notFound('podcast');
    const before = await selectDomain(tx.db, podcastId, { locked: true });
    await revise(tx, { podcastId }, before?.host === host ? [] : ['domain'], expectation);
    if (before?.host === host) return;
    await deleteDomain(tx.db, podcastId);
    const token = before?.token ?? newToken();
    await insertDomain(tx.db, { podcastId, host, token }, tx.clock.now());
    await announceChange(tx, { kind: 'podcast.changed', podcastId });
    if (mayMove) return;
    await endFeedRedirects(tx, podcastId);
    await notifyOwner(tx, podcastId, host);
  });
  return await checkNow(ctx, requireFound(await selectDomain(ctx.db, podcastId), 'domain'));
}

async function notifyOwner(tx: Context, podcastId: string, host: string): Promise<void> {
  const { title, accountId } = await getPodcast(tx, podcastId);
  const owner = await findUserOfAccount(tx, accountId);
  const member = await findUser(tx, requireUser(tx));
  if (owner === undefined || member === undefined) return;
  const link = `${appUrl(tx.installation, 'home')}/shows/${podcastId}/show/domain`;
  const values = { name: owner.name, member: member.name, podcast: title, domain: host, link };
  await queueEmail(tx, { template: 'domain-set', to: owner.email, values });
}

/** Removes it: it stops working, and is free for others. Throws not_found if there is none. */
export async function removeDomain(
  ctx: Context,
  podcastId: string,
  expectation?: Expectation,
): Promise<void> {
  await authorize(ctx, 'domain.manage', { podcastId });
  await transact(ctx, async (tx) => {
    if ((await lockPodcast(tx.db, podcastId)) === undefined) throw notFound('podcast');
    await revise(tx, { podcastId }, ['domain'], expectation);
    if (!(await deleteDomain(tx.db, podcastId))) throw notFound('domain');
    await announceChange(tx, { kind: 'podcast.changed', podcastId });
  });
}

/** Throws what is wrong with it (DOMAIN-4). */
function parseOwnHost({ installation }: Context, text: string): string {
  const parsed = parseHostName(text);
  if ('problem' in parsed) throw invalid('host', hostRefusals[parsed.problem]);
  if (isOwnHost(installation, parsed.host)) throw invalid('host', sayRefusal('domain_ours'));
  return parsed.host;
}

/** Distinct in a list of TXT records, and impossible to guess. */
function newToken(): string {
  return `podstead-${randomBytes(16).toString('hex')}`;
}
