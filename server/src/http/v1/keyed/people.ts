import Type from 'typebox';
import { listCredits, listRoster, type PeoplePosition } from '../../../domain/people/index.ts';
import type { CursorPosition } from '../../../lib/cursor.ts';
import { cursor, pageSize } from '../parameters.ts';
import { defineEpisodeRoute, definePodcastRoute } from './keyed-route.ts';
import { presentCredit, presentRosterMember } from './present.ts';
import { keyedPage, keyedResponses } from './responses.ts';
import { EpisodeCredit, RosterMember } from './schemas.ts';

export const peopleRoute = definePodcastRoute({
  path: '/v1/me/podcasts/:podcast_id/people',
  action: 'people.read',
  query: Type.Object({ limit: pageSize(100), cursor }),
  operation: {
    id: 'listMyPeople',
    tag: 'Your podcasts',
    summary: "A podcast's roster",
    description: 'The people credited wherever an episode names nobody.',
    responses: keyedResponses(
      'A page of people.',
      keyedPage(RosterMember, 'In the order of the roster.'),
    ),
  },
  async answer(ctx, { podcastId, page }) {
    const query = { limit: page.limit, after: page.after && toPosition(page.after) };
    const { items, next } = await listRoster(ctx, podcastId, query);
    return {
      data: items.map((person) => presentRosterMember(ctx.installation, person)),
      pagination: page.next(next && [next.position, next.id]),
    };
  },
});

export const creditsRoute = defineEpisodeRoute({
  path: '/v1/me/episodes/:episode_id/credits',
  action: 'people.read',
  query: Type.Object({ limit: pageSize(100), cursor }),
  operation: {
    id: 'listMyCredits',
    tag: 'Your episodes',
    summary: 'The credits of an episode',
    description: "As the feed publishes them: the episode's own, else the roster of its show.",
    responses: keyedResponses('A page of credits.', keyedPage(EpisodeCredit, 'In their order.')),
  },
  async answer(ctx, { episodeId, page }) {
    const query = { limit: page.limit, after: page.after && toPosition(page.after) };
    const { items, next } = await listCredits(ctx, episodeId, query);
    return {
      data: items.map((person) => presentCredit(ctx.installation, person)),
      pagination: page.next(next && [next.position, next.id]),
    };
  },
});

function toPosition([position, id]: CursorPosition): PeoplePosition {
  return { position: Number(position), id: String(id) };
}
