import type { Static } from 'typebox';
import Type from 'typebox';
import { roleOf } from '../../../domain/foundation/permissions/index.ts';
import {
  listMyPodcasts,
  type MyPodcast as MemberPodcast,
} from '../../../domain/publishing/podcasts/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { pageParameters, podcastId } from '../../requests/parameters.ts';
import { byCreation } from '../../requests/positions.ts';
import { defineEndpoint } from '../endpoint.ts';
import { id, moment, named, nullable } from '../field-schemas.ts';
import { page } from '../response.ts';

/** A podcast the user works on. */
export const MyPodcast = named('MyPodcast', {
  id,
  slug: Type.String(),
  title: Type.String(),
  role: Type.String(),
  role_name: Type.String(),
  capabilities: Type.Array(Type.String()),
  /** False: only those that credit the user. */
  sees_all_episodes: Type.Boolean(),
  status: Type.String(),
  /** overage or operator; null: the show is not suspended. */
  suspended_for: nullable(Type.String()),
  hosting_type: Type.String(),
  /** IANA name: the zone of its episodes' dates. */
  timezone: Type.String(),
  /** Whether members may use keys. */
  team_keys: Type.Boolean(),
  created_at: moment,
});

export function presentMyPodcast(podcast: MemberPodcast): Static<typeof MyPodcast> {
  return presentHolder({ ...podcast, ...podcast.membership });
}

/** A member or an invitation: adds the name of its role and all capabilities. */
export function presentHolder<Holder extends Parameters<typeof roleOf>[0]>(holder: Holder) {
  return wireNames({ ...holder, ...roleOf(holder) });
}

export const podcastsRoute = defineEndpoint('GET /app/api/podcasts', {
  id: 'listPodcasts',
  summary: 'A page of the podcasts that the user works on',
  query: Type.Object({
    ...pageParameters,
    /** Returns only this podcast. */
    podcast: Type.Optional(podcastId),
  }),
  response: page(MyPodcast),
  handle({ ctx }, { query: { podcast }, page }) {
    const refs = podcast === undefined ? undefined : [podcast];
    return page.read(
      byCreation,
      (query) => listMyPodcasts(ctx, { ...query, refs }),
      presentMyPodcast,
    );
  },
});
