import { announceChange } from '../changes/index.ts';
import { type Context, transact } from '../context.ts';
import { DomainError, invalid, notFound } from '../errors.ts';
import { requireCapability } from '../podcasts/index.ts';
import { checkEpisode } from './check-episode.ts';
import type { Episode, EpisodeFields, EpisodeSource } from './episode.ts';
import {
  claimEpisodeSlug,
  lockEpisode,
  updateEpisodeColumns,
  updateEpisodeSource,
} from './episodes.sql.ts';
import { getEpisode } from './find-episode.ts';
import { cleanShowNotes } from './show-notes.ts';

export type EpisodeChanges = Partial<EpisodeFields> & {
  readonly artworkId?: string | null;
  readonly source?: EpisodeSource;
};

/** Changes what is given and keeps the rest; status is changed by its own verbs. */
export async function updateEpisode(
  ctx: Context,
  episodeId: string,
  changes: EpisodeChanges,
): Promise<Episode> {
  const details = checkEpisode(changes);
  if (details.length > 0) {
    throw new DomainError('invalid', 'The episode cannot be changed so.', { details });
  }
  return transact(ctx, async (tx) => {
    const episode = await lockEpisode(tx.db, episodeId);
    if (episode === undefined) throw notFound('episode');
    await requireCapability(tx, episode.podcastId, 'episodes.edit');
    const { source, slug, ...fields } = changes;
    if (
      slug !== undefined &&
      !(await claimEpisodeSlug(tx.db, { ...episode, slug }, ctx.clock.now()))
    ) {
      throw invalid('slug', `The podcast has an episode ${slug} already.`, 'slug_taken');
    }
    const notes = fields.showNotesHtml === undefined ? {} : cleanShowNotes(fields.showNotesHtml);
    await updateEpisodeColumns(tx.db, episodeId, { ...fields, ...notes }, ctx.clock.now());
    if (source !== undefined) await updateEpisodeSource(tx.db, episodeId, source);
    const { podcastId } = episode;
    await announceChange(tx, { kind: 'episode.changed', podcastId, episodeId });
    return getEpisode(tx, episodeId);
  });
}
