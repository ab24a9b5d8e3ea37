import { shorten } from '../../../lib/shorten.ts';
import { isUuid } from '../../../lib/uuid.ts';
import type { Context } from '../../foundation/context.ts';
import { refuseWrong, requireFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import {
  checkPodcast,
  cleanPageText,
  getPodcast,
  type PodcastFields,
  readElements,
  unexpiredElements,
} from '../../publishing/podcasts/index.ts';
import { findPublicPodcast } from './find-public-podcast.ts';
import type { PublicPodcast } from './public-podcast.ts';

/** What the owner of a show chooses for its page. */
export type PageChoices = Partial<
  Pick<PodcastFields, 'pageSections' | 'pageText' | 'pageTheme' | 'brandColor'>
>;

/** The show with choices that are not saved, in any status, for those who may save them. */
export async function previewChoices(
  ctx: Context,
  podcastId: string,
  choices: PageChoices,
): Promise<PublicPodcast> {
  await authorize(ctx, 'podcast.edit', { podcastId });
  refuseWrong('The page cannot be shown.', checkPodcast(choices));
  const show = requireFound(await findPublicPodcast(ctx, podcastId), 'podcast');
  const { pageText } = choices;
  const cleaned = pageText === undefined ? {} : { pageText: await cleanPageText(ctx, pageText) };
  return { ...show, ...choices, ...cleaned };
}

/** As many as members can add, with as long titles. An imported feed may have any. */
const shown = { most: 100, titleChars: 128 } as const;

/**
 * The first shows that a show recommends: its feed's `podcast:podroll`, without those that nothing
 * identifies.
 */
export async function listPodroll(
  ctx: Context,
  podcastId: string,
): Promise<{ readonly guid: string; readonly title: string }[]> {
  const { extraElements } = await getPodcast(ctx, podcastId);
  const current = unexpiredElements(extraElements, ctx.clock.now());
  const { podroll = [] } = readElements('show', current);
  const identified = podroll.flatMap(({ feedGuid, feedUrl, title }) => {
    if (typeof feedGuid !== 'string' || !isUuid(feedGuid)) return [];
    const named = typeof title === 'string' && title.trim() !== '' ? title.trim() : undefined;
    const host = URL.parse(typeof feedUrl === 'string' ? feedUrl : '')?.host;
    return [{ guid: feedGuid, title: shorten(named ?? host ?? feedGuid, shown.titleChars) }];
  });
  return identified.slice(0, shown.most);
}
