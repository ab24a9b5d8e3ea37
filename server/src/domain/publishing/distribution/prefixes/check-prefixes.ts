import { putBehindPrefixes } from '../../../../lib/enclosure-prefixes.ts';
import { OutboundError } from '../../../../platform/outbound-http/outbound-http.ts';
import { type AttemptLimit, consumeAttempt } from '../../../foundation/accounts/index.ts';
import { mediaMarkers, mediaUrl } from '../../../foundation/addresses.ts';
import type { Context } from '../../../foundation/context.ts';
import { isOwnAddress } from '../../../foundation/own-addresses.ts';
import { authorize } from '../../../foundation/permissions/index.ts';
import { requireTrusted } from '../../../foundation/principal.ts';
import {
  type PrefixProblem,
  type ShowToCheck,
  selectPrefixesToCheck,
  selectShowToCheck,
  upsertPrefixCheck,
} from './prefixes.sql.ts';

/** A little less than a day. */
const checkAgainMs = 23 * 60 * 60_000;
const batchSize = 100;
const atOnce = 10;
const timeoutMs = 10_000;
/** Each service redirects once, and some to a further host of theirs. */
const maxRedirects = 15;

/**
 * Requests the newest audio of shows through their prefixes, if they are new or were not checked for a day
 * (FEED-18). Only requests heads, which no service counts, and not the audio itself.
 */
export async function checkPrefixes(ctx: Context, signal: AbortSignal): Promise<void> {
  requireTrusted(ctx);
  while (!signal.aborted) {
    const now = ctx.clock.now();
    const checkedBefore = new Date(now.getTime() - checkAgainMs);
    const due = await selectPrefixesToCheck(ctx.db, { checkedBefore, now, limit: batchSize });
    if (due.length === 0) return;
    const waiting = due.values();
    const work = async () => {
      for (const show of waiting) {
        if (signal.aborted) return;
        const problem = await findProblem(ctx, show, signal);
        await upsertPrefixCheck(ctx.db, show, problem, now);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }
}

/** Each check sends requests to others. */
const checksOfShow: AttemptLimit = { name: 'prefix-checks', most: 10, windowMs: 600_000 };

/** What a check has found: `nothing`, if there are no prefixes, or no audio behind them. */
export type PrefixVerdict =
  | PrefixProblem
  | { readonly problem: 'none' | 'nothing'; readonly host: null };

/** The same now for one show, whose editor has requested it. Rate-limited. */
export async function checkPrefixesOfShow(ctx: Context, podcastId: string): Promise<PrefixVerdict> {
  await authorize(ctx, 'podcast.edit', { podcastId });
  const now = ctx.clock.now();
  const show = await selectShowToCheck(ctx.db, podcastId, now);
  if (show === undefined || show.episodeId === null) return { problem: 'nothing', host: null };
  await consumeAttempt(ctx, [checksOfShow, podcastId]);
  const problem = await findProblem(ctx, show, new AbortController().signal);
  await upsertPrefixCheck(ctx.db, show, problem, now);
  return problem ?? { problem: 'none', host: null };
}

/** Thrown through the HTTP client at the audio's own URL. */
class AudioReached extends Error {}

async function findProblem(
  { installation, outbound }: Context,
  { prefixes, episodeId, fileName }: ShowToCheck,
  signal: AbortSignal,
): Promise<PrefixProblem | undefined> {
  if (episodeId === null || fileName === null) return undefined;
  const audio = mediaUrl(installation, { episodeId, fileName }, mediaMarkers.feed);
  let host = '';
  let insecure: string | undefined;
  const checkAddress = (address: string) => {
    const url = URL.parse(address);
    const isOwn = isOwnAddress(installation, address);
    if (isOwn && url?.pathname === URL.parse(audio)?.pathname) throw new AudioReached();
    host = url?.host ?? host;
    if (url?.protocol === 'http:' && !isOwn) insecure ??= url.host;
  };
  const request = { method: 'HEAD', maxBytes: 0, timeoutMs, maxRedirects } as const;
  try {
    const url = putBehindPrefixes(audio, prefixes);
    (await outbound.request(url, { ...request, checkAddress, signal })).body.destroy();
    return { problem: 'elsewhere', host };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AudioReached) {
      return insecure === undefined ? undefined : { problem: 'insecure', host: insecure };
    }
    if (!(error instanceof OutboundError)) throw error;
    const isLost = error.reason === 'too_many_redirects' || error.reason === 'bad_address';
    return { problem: isLost ? 'elsewhere' : 'unreachable', host };
  }
}
