import type { Context } from '../../../foundation/context.ts';
import { authorize } from '../../../foundation/permissions/index.ts';
import { isKnownPrefix } from '../../../foundation/provenance/index.ts';
import { checkCategories, readPodcastSettings } from '../../podcasts/index.ts';
import { selectPrefixProblem } from '../prefixes/prefixes.sql.ts';
import { checkHealth, type Health } from './check-health.ts';
import { selectEpisodeHealth } from './health.sql.ts';

/** Holds a show and all its episodes against the rules of apps and directories. */
export async function readHealth(ctx: Context, podcastId: string): Promise<Health> {
  await authorize(ctx, 'podcast.check', { podcastId });
  const show = await readPodcastSettings(ctx, podcastId);
  const episodes = await selectEpisodeHealth(ctx.db, podcastId, ctx.clock.now());
  return checkHealth({
    show,
    artwork: show.artwork,
    artworkBytes: episodes.artworkBytes,
    categoryProblems: checkCategories(show),
    isSecure: ctx.installation.baseUrl.startsWith('https:'),
    prefixProblem: await selectPrefixProblem(ctx.db, podcastId),
    unknownPrefixes: show.enclosurePrefixes.filter(
      (prefix) => !isKnownPrefix(prefix, ctx.installation.redirectTable),
    ),
    episodesInFeed: episodes.episodesInFeed,
    episodeProblems: episodes.problems,
  });
}
