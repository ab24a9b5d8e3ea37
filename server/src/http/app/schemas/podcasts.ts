import Type from 'typebox';
import { id, moment, named, nullable } from './fields.ts';

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
  move: flag,
  pause: flag,
  delete: flag,
  export: flag,
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

export const Pagination = named('Pagination', { next_cursor: nullable(Type.String()) });
