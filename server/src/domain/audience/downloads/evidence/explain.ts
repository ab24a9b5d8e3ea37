import type { Context } from '../../../foundation/context.ts';
import { DomainError } from '../../../foundation/errors.ts';
import { requireOperator } from '../../../foundation/principal.ts';
import { getEpisode } from '../../../publishing/episodes/index.ts';
import type { RejectionReason } from '../audio-request.ts';
import { isOpen, type OpenDays, openDays } from '../days.ts';
import { secretForDay } from '../download-secrets.ts';
import { selectCrowd } from '../receipts/receipts.sql.ts';
import { hashAddress, hashListener } from '../to-audio-request.ts';
import { type ExplainedListener, findListener, selectEvidenceCounts } from './explain.sql.ts';

export interface Explanation {
  readonly requests: number;
  readonly rejected: Readonly<Partial<Record<RejectionReason, number>>>;
  /** Clients with a request that may count. */
  readonly listeners: number;
  /** Those of them that received enough. */
  readonly counted: number;
  /**
   * Requests that may count and whose details are not kept, because the evidence of the day was full.
   * Not 0: there may be more `listeners`.
   */
  readonly withoutDetails: number;
  /** Only if one was requested. */
  readonly listener?: ExplainedListener | undefined;
}

/** A listener by its hash of the day, or by what the hash is made of. */
export type ListenerQuery =
  | { readonly hash: string }
  | { readonly address: string; readonly userAgent: string };

/**
 * Explains the downloads of an episode on a UTC day from the evidence: requests, rejected ones by
 * reason, listeners, and what counted. Throws `not_found` if the day's evidence is not kept any
 * more, or if there is neither evidence nor an episode.
 */
export async function explainDownloads(
  ctx: Context,
  query: {
    readonly episodeId: string;
    readonly day: string;
    readonly listener?: ListenerQuery | undefined;
  },
): Promise<Explanation> {
  requireOperator(ctx);
  const { episodeId, day, listener } = query;
  const days = openDays(ctx.clock.now());
  if (!isOpen(day, days)) throw noEvidence(day, days);
  const counts = await selectEvidenceCounts(ctx.db, episodeId, day);
  const requests = counts.requests.reduce((sum, [, , count]) => sum + count, 0);
  // A deleted episode may still have evidence.
  if (requests === 0) await getEpisode(ctx, episodeId);
  const rejected = Object.fromEntries(
    counts.requests.flatMap(([, reason, count]) => (reason === null ? [] : [[reason, count]])),
  );
  const [[, listeners, counted] = [day, 0, 0]] = counts.listeners;
  const { withoutDetails } = counts;
  const explained = { requests, rejected, listeners, counted, withoutDetails };
  if (listener === undefined) return explained;
  if ('hash' in listener) {
    return { ...explained, listener: await findListener(ctx.db, episodeId, day, listener.hash) };
  }
  const secret = await secretForDay(ctx, day);
  const hash = hashListener(secret, listener.address, listener.userAgent);
  const found = await findListener(ctx.db, episodeId, day, hash);
  const addressHash = hashAddress(secret, listener.address);
  const crowd = { episodeId, addressHash, of: 'address' } as const;
  const { length } = await selectCrowd(ctx.db, day, crowd);
  return { ...explained, listener: { ...found, listenersOfAddress: length } };
}

function noEvidence(day: string, { first }: OpenDays): DomainError {
  return new DomainError(
    'not_found',
    `There is no evidence for ${day}. It is kept for today and the two days before: since ${first} (UTC).`,
  );
}
