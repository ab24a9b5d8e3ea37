import type { Static } from 'typebox';
import Type from 'typebox';
import { memberImagePath } from '../../../domain/foundation/addresses.ts';
import {
  firstSteps,
  type HomeShow as ListedShow,
  listHomeShows,
  readAccountNeeds,
} from '../../../domain/service/home/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { cursor, pageSize } from '../../requests/parameters.ts';
import { byCreation } from '../../requests/positions.ts';
import { clientLeaves } from '../../responses/while-awaited.ts';
import { defineEndpoint } from '../endpoint.ts';
import { id, moment, named, nullable, Pagination, searched } from '../field-schemas.ts';
import { whole } from '../response.ts';
import { Overage } from './account-endpoints.ts';
import { EpisodeCounts } from './episodes/episode-shapes.ts';
import { ShowRights, suspensionEndsOn } from './podcasts-endpoints.ts';

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
    description: `terms_to_accept, backup_overdue, plan_lapsed, downloads_near, downloads_exceeded,
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

const HomeShow = named('HomeShow', {
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

const Home = Type.Object({
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

function presentHomeShow(show: ListedShow): Static<typeof HomeShow> {
  const { downloads7d, ...rest } = show;
  return {
    ...wireNames(rest),
    artwork_url: show.artwork && memberImagePath(show.artwork, 320),
    downloads_7d: downloads7d,
  };
}

/**
 * Runs three statements for any number of shows, besides that of the session. They count all episodes of
 * the shows, so they take a turn.
 */
export const homeRoute = defineEndpoint('GET /app/api/home', {
  id: 'getHome',
  summary: 'The shows that the user works on, their newest figures, and what needs attention',
  query: Type.Object({
    q: searched('Part of a title or slug.'),
    limit: pageSize(50),
    cursor,
  }),
  response: whole(Home, 'A page'),
  async handle({ ctx, session }, { http, query: { q: title }, page, reply }) {
    const left = clientLeaves(reply);
    const shows = await page.read(
      byCreation,
      (query) =>
        http.longReads.run(session.userId, left, () => listHomeShows(ctx, { ...query, title })),
      presentHomeShow,
    );
    const isFirst = page.after === undefined;
    return { ...shows, account_needs: isFirst ? wireNames(await readAccountNeeds(ctx)) : null };
  },
});
