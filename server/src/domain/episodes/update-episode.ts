import { type Context, transact } from '../context.ts';
import { DomainError, invalid, notFound } from '../errors.ts';
import { announceChange } from '../outbox/index.ts';
import { authorize } from '../permissions/index.ts';
import { checkEpisode } from './check-episode.ts';
import type { Episode, EpisodeFields, EpisodeSource } from './episode.ts';
import {
  claimEpisodeSlug,
  lockEpisode,
  updateEpisodeColumns,
  updateEpisodeSource,
} from './episodes.sql.ts';
import { getEpisode } from './find-episode.ts';
import { type CleanShowNotes, cleanShowNotes } from './show-notes.ts';

export type EpisodeChanges = Partial<EpisodeFields> & {
  readonly artworkId?: string | null;
  readonly source?: EpisodeSource;
  /** Accompanies `showNotesHtml` if a thread has sanitized it already. */
  readonly cleanNotes?: CleanShowNotes | undefined;
};

/** Changes the given fields; other verbs change the status. */
export async function updateEpisode(
  ctx: Context,
  episodeId: string,
  changes: EpisodeChanges,
): Promise<Episode> {
  const details = checkEpisode(changes);
  if (details.length > 0) {
    throw new DomainError('invalid', 'The episode was not changed.', { details });
  }
  return transact(ctx, async (tx) => {
    const episode = await lockEpisode(tx.db, episodeId);
    if (episode === undefined) throw notFound('episode');
    const { podcastId } = episode;
    await authorize(tx, 'episode.edit', { podcastId, episodeId });
    const { source, slug, cleanNotes, ...fields } = changes;
    if (
      slug !== undefined &&
      !(await claimEpisodeSlug(tx.db, { ...episode, slug }, ctx.clock.now()))
    ) {
      throw invalid(
        'slug',
        `The podcast has an episode ${slug} already. Choose another slug.`,
        'slug_taken',
      );
    }
    const notes =
      fields.showNotesHtml === undefined ? {} : cleanShowNotes(fields.showNotesHtml, cleanNotes);
    const number = fields.episodeNumber === undefined ? {} : { numberGiven: true };
    const columns = { ...fields, ...notes, ...number };
    await updateEpisodeColumns(tx.db, episodeId, columns, ctx.clock.now());
    if (source !== undefined) await updateEpisodeSource(tx.db, episodeId, source);
    await announceChange(tx, { kind: 'episode.changed', podcastId, episodeId });
    return getEpisode(tx, episodeId);
  });
}
