import Type from 'typebox';
import { id, moment, nullable } from './fields.ts';

/** A podcast the user works on. */
export const MyPodcast = Type.Object(
  {
    id,
    slug: Type.String(),
    title: Type.String(),
    role: Type.String(),
    role_name: Type.String(),
    capabilities: Type.Array(Type.String()),
    status: Type.String(),
    hosting_type: Type.String(),
    /** Whether members may use keys. */
    team_keys: Type.Boolean(),
    created_at: moment,
  },
  { $id: 'MyPodcast' },
);

export const Pagination = Type.Object(
  { next_cursor: nullable(Type.String()) },
  { $id: 'Pagination' },
);
