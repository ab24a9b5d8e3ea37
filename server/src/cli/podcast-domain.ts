import type { Context } from '../domain/foundation/context.ts';
import {
  checkDomain,
  type FoundRecords,
  getDomain,
  removeDomain,
  setDomain,
} from '../domain/publishing/domains/index.ts';
import { getPodcast } from '../domain/publishing/podcasts/index.ts';
import { wireNames } from '../lib/wire-names.ts';
import { UsageError } from './arguments.ts';
import { printJson } from './command-io.ts';
import { getPodcastByRef } from './option-values.ts';
import type { PodcastRuns } from './podcast-commands.ts';

export const domain: PodcastRuns['domain'] = async ({ ctx }, args, io) => {
  const { host, remove, check } = args;
  if (remove && (host !== undefined || check))
    throw new UsageError('--remove goes with neither HOST nor --check.');
  const { id } = await getPodcastByRef(ctx, args.podcast);
  if (remove) await removeDomain(ctx, id);
  else if (host !== undefined) await setDomain(ctx, id, host);
  else if (check) await checkDomain(ctx, id);
  printJson(io, await describeDomain(ctx, id));
};

const describeFound = ({ txt, addresses, isInternal = false }: FoundRecords) => ({
  txt,
  addresses,
  is_internal: isInternal,
});

/** All null if the show has none. */
async function describeDomain(ctx: Context, podcastId: string): Promise<Record<string, unknown>> {
  const { domain: set, expected } = await getDomain(ctx, podcastId);
  const { redirectFeed } = await getPodcast(ctx, podcastId);
  return {
    host: set?.host ?? null,
    state: set?.state ?? null,
    token: set?.token ?? null,
    expected: expected && wireNames({ ...expected }),
    found: set?.found ? describeFound(set.found) : null,
    checked_at: set?.checkedAt ?? null,
    redirect_feed: redirectFeed,
  };
}
