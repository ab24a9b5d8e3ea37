import Type from 'typebox';
import { id, moment, named, nullable } from './fields.ts';

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

export const Pagination = named('Pagination', { next_cursor: nullable(Type.String()) });
