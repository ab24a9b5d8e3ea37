import Type from 'typebox';
import { listCredits, listRoster } from '../../../domain/publishing/people/index.ts';
import { pageParameters } from '../../requests/parameters.ts';
import { byRank } from '../../requests/positions.ts';
import { keyedPage, keyedResponses } from '../responses.ts';
import { defineEpisodeRoute, definePodcastRoute } from './keyed-route.ts';
import { EpisodeCredit, RosterMember } from './keyed-schemas.ts';
import { presentCredit, presentRosterMember } from './present-keyed.ts';

export const peopleRoute = definePodcastRoute({
  path: '/v1/me/podcasts/:podcast_id/people',
  action: 'people.read',
  query: Type.Object(pageParameters),
  id: 'listMyPeople',
  tag: 'Your podcasts',
  summary: "A podcast's roster",
  description: 'The people who are credited on episodes without credits of their own.',
  responses: keyedResponses(
    'A page of people.',
    keyedPage(RosterMember, 'In the order of the roster.'),
  ),
  respond: (ctx, { podcastId, page }) =>
    page.read(
      byRank,
      (query) => listRoster(ctx, podcastId, query),
      (person) => presentRosterMember(ctx.installation, person),
    ),
});

export const creditsRoute = defineEpisodeRoute({
  path: '/v1/me/episodes/:episode_id/credits',
  action: 'people.read',
  query: Type.Object(pageParameters),
  id: 'listMyCredits',
  tag: 'Your episodes',
  summary: 'The credits of an episode',
  description: "As the feed publishes them: the episode's own, else its show's roster.",
  responses: keyedResponses('A page of credits.', keyedPage(EpisodeCredit, 'In their order.')),
  respond: (ctx, { episodeId, page }) =>
    page.read(
      byRank,
      (query) => listCredits(ctx, episodeId, query),
      (person) => presentCredit(ctx.installation, person),
    ),
});
