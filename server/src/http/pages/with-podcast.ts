import { DomainError, notFound } from '../../domain/foundation/errors.ts';
import {
  getPublicEpisode,
  type NewestEpisode,
  type PublicPodcast,
} from '../../domain/public/catalogue/index.ts';
import { requireVisible, visibilityOf } from '../../domain/publishing/podcasts/index.ts';
import type { HttpContext } from '../http-context.ts';
import { failureOf, HttpError } from '../http-errors.ts';

/** What a page about a refusal says of its show. */
interface About {
  readonly show: PublicPodcast;
  /** Instead of a missing episode. */
  readonly newest?: NewestEpisode | undefined;
}

/** A refusal about a show that the page may name. */
export class ShowPageError extends HttpError {
  readonly about: About;

  constructor(about: About, refusal: DomainError) {
    super(failureOf(refusal));
    this.about = about;
  }
}

/**
 * Shows refusals of `work` on a page of this show, unless the show's existence is private. A paused
 * show is named only where `work` says that it is paused.
 */
export async function withPodcast<T>(
  http: Pick<HttpContext, 'podcasts'>,
  show: PublicPodcast,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const isNamed =
      visibilityOf(show, 'page') === 'resting'
        ? error.kind === 'paused'
        : visibilityOf(show, 'page') !== 'hidden';
    throw isNamed ? new ShowPageError(await readAbout(http, show, error), error) : error;
  }
}

async function readAbout(
  { podcasts }: Pick<HttpContext, 'podcasts'>,
  show: PublicPodcast,
  { kind }: DomainError,
): Promise<About> {
  if (kind !== 'not_found' || visibilityOf(show, 'page') !== 'open') return { show };
  // The page does without it if it can't be read now.
  return { show, newest: await podcasts.findNewest(show).catch(() => undefined) };
}

/**
 * Refuses pages of an episode whose show has none now. Of a paused show, an episode that listeners
 * did not know before the pause is not found like any other.
 */
export async function requireEpisodePage(
  http: HttpContext,
  show: PublicPodcast,
  ref: string,
): Promise<void> {
  if (visibilityOf(show, 'page') === 'resting') {
    const { publishedAt } = await getPublicEpisode(http.ctx, show, ref);
    if (show.pausedAt !== null && publishedAt > show.pausedAt) throw notFound('episode');
  }
  requireVisible(show, 'page', 'episode');
}
