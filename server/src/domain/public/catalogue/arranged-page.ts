import type { ElementEntry } from '../../../lib/fields/feed-elements.ts';
import { shorten } from '../../../lib/shorten.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { feedUrl } from '../../foundation/addresses.ts';
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
  visibilityOf,
} from '../../publishing/podcasts/index.ts';
import { findPublicPodcast } from './find-public-podcast.ts';
import type { PublicPodcast } from './public-podcast.ts';
import { type RecommendedShow, selectShowsByGuid } from './public-podcasts.sql.ts';

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

/** A show that another one recommends. */
export interface Recommendation {
  readonly guid: string;
  readonly title: string;
  /** The show itself, if it is here. */
  readonly here?: RecommendedShow;
}

/** As many as members can add, with as long titles. An imported feed may have any. */
const shown = { most: 100, titleChars: 128 } as const;

/**
 * The first shows that a show recommends: its feed's `podcast:podroll`, without those that nothing
 * identifies.
 */
export async function listPodroll(ctx: Context, podcastId: string): Promise<Recommendation[]> {
  const { extraElements } = await getPodcast(ctx, podcastId);
  const current = unexpiredElements(extraElements, ctx.clock.now());
  const { podroll = [] } = readElements('show', current);
  const items = podroll.flatMap(readItem).slice(0, shown.most);
  const shows = await findHere(ctx, items);
  return items.map(({ guid, feedUrl: url, title }) => {
    const here = shows.get(guid);
    const name = title ?? here?.title ?? URL.parse(url ?? '')?.host ?? guid;
    return { guid, title: shorten(name, shown.titleChars), ...(here && { here }) };
  });
}

interface Item {
  readonly guid: string;
  readonly feedUrl: string | undefined;
  readonly title: string | undefined;
}

function readItem({ feedGuid, feedUrl: url, title }: ElementEntry): Item[] {
  if (typeof feedGuid !== 'string' || !isUuid(feedGuid)) return [];
  const textOf = (value: unknown) => (typeof value === 'string' && value.trim()) || undefined;
  return [{ guid: feedGuid.toLowerCase(), feedUrl: textOf(url), title: textOf(title) }];
}

/**
 * Those that are open shows here, by GUID. Two accounts may have imported the same feed, and neither needs to be its
 * owner's: an entry with a feed URL means the show with this feed, and others mean none if there are several.
 */
async function findHere(
  { db, installation }: Context,
  items: readonly Item[],
): Promise<Map<string, RecommendedShow>> {
  const found = new Map<string, RecommendedShow>();
  if (items.length === 0) return found;
  const rows = await selectShowsByGuid(
    db,
    items.map(({ guid }) => guid),
  );
  const open = rows.filter((show) => visibilityOf(show, 'page') === 'open');
  for (const { guid, feedUrl: url } of items) {
    const same = open.filter((show) => show.guid === guid);
    const [only, another] = same.filter(
      (show) => url === undefined || url === feedUrl(installation, show),
    );
    if (only !== undefined && another === undefined) found.set(guid, only);
  }
  return found;
}
