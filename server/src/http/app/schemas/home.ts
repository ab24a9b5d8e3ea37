import Type from 'typebox';
import { firstSteps } from '../../../domain/service/home/index.ts';
import { Overage } from './departure.ts';
import { EpisodeCounts } from './episodes.ts';
import { id, moment, named, nullable } from './fields.ts';
import { Pagination, ShowRights, suspensionEndsOn } from './podcasts.ts';

const day = Type.String({ description: 'YYYY-MM-DD, UTC.' });

/** Something that a member should do about a show. The other fields depend on its kind. */
const ShowNeed = named('ShowNeed', {
  kind: Type.String({
    description: `scheduled_without_audio, pending_confirmation, draft_without_audio (with
\`count\`), import_failed (with \`import_id\`, \`failed_at\`), no_artwork, no_category, plan_lapsed.`,
  }),
  count: Type.Optional(Type.Integer()),
  import_id: Type.Optional(id),
  failed_at: Type.Optional(moment),
});

const AccountNeed = named('AccountNeed', {
  kind: Type.String({
    description: `terms_to_accept, plan_lapsed, downloads_near, downloads_exceeded,
email_not_confirmed, key_expires, site_expires, import_failed.`,
  }),
  version: Type.Optional(Type.String()),
  ...Type.Partial(Type.Omit(Overage, ['kind'])).properties,
  email: Type.Optional(Type.String()),
  expires_at: Type.Optional(moment),
  key_id: Type.Optional(id),
  name: Type.Optional(Type.String()),
  site_id: Type.Optional(id),
  site_url: Type.Optional(Type.String()),
  import_id: Type.Optional(id),
  failed_at: Type.Optional(moment),
});

export const HomeShow = named('HomeShow', {
  id,
  slug: Type.String(),
  title: Type.String(),
  /** A small copy, 300 pixels wide. */
  artwork_url: nullable(Type.String()),
  status: Type.String(),
  /** overage or operator; null: the show is not suspended. */
  suspended_for: nullable(Type.String()),
  suspension_ends_on: suspensionEndsOn,
  hosting_type: Type.String(),
  /** IANA name: the zone of its episodes' dates. */
  timezone: Type.String(),
  role: Type.String(),
  role_name: Type.String(),
  capabilities: Type.Array(Type.String()),
  /** False: only those that credit the user. */
  sees_all_episodes: Type.Boolean(),
  is_own: Type.Boolean({ description: "The show uses the plan of the user's account." }),
  may: ShowRights,
  next_scheduled: nullable(Type.Object({ id, title: Type.String(), scheduled_for: moment })),
  latest: nullable(Type.Object({ id, title: Type.String(), published_at: moment })),
  /** Null if the role does not include analytics, or if the show is hosted elsewhere. */
  downloads_7d: nullable(
    Type.Object({ from: day, to: day, total: Type.Integer(), previous: Type.Integer() }),
  ),
  episode_counts: EpisodeCounts,
  needs: Type.Array(ShowNeed),
  created_at: moment,
});

export const Home = Type.Object({
  data: Type.Array(HomeShow),
  /** Null except on the first page. */
  account_needs: nullable(Type.Array(AccountNeed)),
  pagination: Pagination,
});

const FirstStep = named('FirstStep', {
  step: Type.Enum([...firstSteps], { type: 'string' }),
  is_done: Type.Boolean(),
  /** The episode with which the user continues. */
  episode_id: nullable(id),
});

export const FirstSteps = named('FirstSteps', {
  steps: Type.Array(FirstStep, {
    description: 'Empty if everything is done or the show is not new.',
  }),
});
