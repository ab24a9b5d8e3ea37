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

const flag = Type.Boolean();

export const suspensionEndsOn = nullable(
  Type.String({
    description:
      'YYYY-MM-DD, UTC: the service ends the suspension, if nothing ends it earlier; null: it does not.',
  }),
);

/** What the user may do with a show. */
export const ShowRights = named('ShowRights', {
  edit: flag,
  check: Type.Boolean({ description: 'Read what apps and directories would object to.' }),
  first_steps: Type.Boolean({ description: 'Read the next steps of a new show.' }),
  people: flag,
  credit_members: Type.Boolean({ description: 'Credit team members on episodes.' }),
  set_domain: Type.Boolean({ description: 'Set and see its own domain.' }),
  move: flag,
  pause: flag,
  delete: flag,
  export: flag,
  webhooks: Type.Boolean({ description: 'Manage its webhooks.' }),
  import: Type.Boolean({ description: 'Import a feed into it.' }),
  create_episodes: flag,
  delete_episodes: flag,
  analytics: flag,
  team: Type.Boolean({ description: 'Manage its team.' }),
  set_team_keys: flag,
  cut_off_keys: flag,
  offer_ownership: flag,
  leave: Type.Boolean({ description: 'Leave its team.' }),
});

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
  is_own: Type.Boolean({ description: "The show uses the plan of the user's account." }),
  may: ShowRights,
  status: Type.String(),
  /** overage or operator; null: the show is not suspended. */
  suspended_for: nullable(Type.String()),
  suspension_ends_on: suspensionEndsOn,
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
