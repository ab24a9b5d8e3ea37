import { randomBytes } from 'node:crypto';
import {
  type HostNameProblem,
  mostHostChars,
  mostLabelChars,
  parseHostName,
} from '../../../lib/host-name.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { invalid, notFound, requireFound, type SaidMessage } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { type Expectation, revise } from '../../foundation/revisions/index.ts';
import { lockPodcast } from '../podcasts/index.ts';
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
 * others. Setting the same again only checks it.
 */
export async function setDomain(
  ctx: Context,
  podcastId: string,
  text: string,
  expectation?: Expectation,
): Promise<OwnDomain> {
  await authorize(ctx, 'domain.manage', { podcastId });
  const host = parseOwnHost(ctx, text);
  await limitChecks(ctx, podcastId);
  await transact(ctx, async (tx) => {
    if ((await lockPodcast(tx.db, podcastId)) === undefined) throw notFound('podcast');
    const before = await selectDomain(tx.db, podcastId, { locked: true });
    await revise(tx, { podcastId }, before?.host === host ? [] : ['domain'], expectation);
    if (before?.host === host) return;
    await deleteDomain(tx.db, podcastId);
    const token = before?.token ?? newToken();
    await insertDomain(tx.db, { podcastId, host, token }, tx.clock.now());
    await announceChange(tx, { kind: 'podcast.changed', podcastId });
  });
  return await checkNow(ctx, requireFound(await selectDomain(ctx.db, podcastId), 'domain'));
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
