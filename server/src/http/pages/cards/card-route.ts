import Type from 'typebox';
import { DomainError, notFound, requireFound } from '../../../domain/foundation/errors.ts';
import { type Card, renderCard } from '../../../domain/public/cards/index.ts';
import {
  findPodcastOfEpisode,
  getPublicEpisode,
  type PublicPodcast,
} from '../../../domain/public/catalogue/index.ts';
import { findQuote } from '../../../domain/publishing/transcripts/index.ts';
import { tryParseFileName } from '../../files/file-name.ts';
import type { HttpContext } from '../../http-context.ts';
import { clientLeaves } from '../../responses/while-awaited.ts';
import { defineRoute } from '../../route.ts';
import { describeEpisodeCard, describeQuoteCard, describeShowCard } from './describe-card.ts';

const what = 'card';
/** Longer than any episode, in seconds. */
const lastSecond = 1_000_000;

/**
 * `/cards/{id}.jpg`: a picture of a show or an episode, or with `t`, of what is said in an episode at this
 * second (PAGE-16).
 */
export const cardRoute = defineRoute({
  method: 'GET',
  path: '/cards/:file',
  access: 'public',
  params: Type.Object({ file: Type.String() }),
  query: Type.Object({ t: Type.Optional(Type.Integer({ minimum: 0, maximum: lastSecond })) }),
  async handle(http, { params, query: { t }, request, reply }) {
    const file = tryParseFileName(params.file, ['jpg']);
    if (file === undefined) throw notFound(what);
    const { show, card } = await findCard(http, file.id, t);
    // A card that must be drawn is work. Others are files (LIM-1).
    if (!http.cards.has(show, card) && !http.consumeLimit(request.raw)) throw tooMany();
    const draw = (left: AbortSignal) => renderCard({ ...http.ctx, abandoned: left }, card);
    const client = { network: http.blockOf(request.raw), leaving: clientLeaves(reply) };
    const payload = await http.cards.get(show, card, draw, client);
    return { kind: 'payload', payload };
  },
});

/** The card of what has this id. Cards are files of their show (STATE-1): the feed of a paused one names them. */
async function findCard(
  http: HttpContext,
  id: string,
  second: number | undefined,
): Promise<{ readonly show: PublicPodcast; readonly card: Card }> {
  const podcastId = await findPodcastOfEpisode(http.ctx, id);
  const show = await http.podcasts.get(podcastId ?? id, 'file');
  if (podcastId === undefined) {
    if (second !== undefined) throw notFound(what);
    return { show, card: describeShowCard(show) };
  }
  const episode = await getPublicEpisode(http.ctx, show, id);
  if (second === undefined) return { show, card: describeEpisodeCard(show, episode) };
  const quote = requireFound(await findQuote(http.ctx, id, second), what);
  return { show, card: describeQuoteCard(show, episode, quote) };
}

const tooMany = () =>
  new DomainError('rate_limited', 'Too many requests from your network. Try again in a minute.', {
    retryAfterSeconds: 60,
  });
