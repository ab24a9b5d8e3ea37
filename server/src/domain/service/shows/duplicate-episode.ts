import { shorten } from '../../../lib/shorten.ts';
import { slugify } from '../../../lib/slug.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { allows, authorize, roleOf } from '../../foundation/permissions/index.ts';
import {
  createEpisode,
  type Episode,
  getEpisode,
  limitNewEpisodes,
} from '../../publishing/episodes/index.ts';
import { listOwnCredits, setCredits } from '../../publishing/people/index.ts';

const suffix = ' (copy)';
const longestTitle = 500;

/**
 * Makes a draft with the texts, the picture and the people of an episode. Audio, transcript and
 * chapters belong to one recording; number, link and GUID to one publication. A user may do this as
 * often as `startEpisode`.
 */
export async function duplicateEpisode(ctx: Context, episodeId: string): Promise<Episode> {
  await limitNewEpisodes(ctx);
  return transact(ctx, async (tx) => {
    const { podcastId, membership } = await authorize(tx, 'episodes.read', { episodeId });
    const original = await getEpisode(tx, episodeId);
    const title = shorten(original.title, longestTitle - suffix.length) + suffix;
    const copy = await createEpisode(tx, {
      ...textsOf(original),
      podcastId,
      title,
      slug: slugify(title) ?? `${original.slug}-copy`,
      onTakenSlug: 'number',
    });
    const credits = await listOwnCredits(tx, episodeId);
    if (credits.length > 0 && allows(roleOf(membership), 'people.edit')) {
      await setCredits(tx, copy.id, credits);
    }
    return copy;
  });
}

function textsOf(episode: Episode) {
  const { subtitle, description, showNotesHtml, showNotes, season, seasonName } = episode;
  const { episodeType, explicit, itunesBlock, artworkId } = episode;
  return {
    subtitle,
    description,
    showNotesHtml,
    // They are sanitized already, which takes time for long ones.
    cleanNotes: showNotesHtml === null ? undefined : { showNotesHtml, showNotes: showNotes ?? '' },
    season,
    seasonName,
    episodeType,
    explicit,
    itunesBlock,
    artworkId,
  };
}
