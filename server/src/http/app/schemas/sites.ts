import Type from 'typebox';
import { closed, id, moment, named, nullable, password } from './fields.ts';

/** Connected sites. */

const SiteShow = named('SiteShow', {
  id,
  /** Null if the user no longer works on it. */
  title: nullable(Type.String()),
  slug: nullable(Type.String()),
  state: Type.String({
    description: 'read, cut_off, left, no_plan, no_team_keys or silent.',
  }),
  may_stay: Type.Boolean({
    description: 'Whether it may stay among the shows of the site. Its owner can end that.',
  }),
});

export const Site = named('Site', {
  id,
  site_url: Type.String(),
  admin_url: Type.String(),
  site_name: nullable(Type.String()),
  status: Type.String({ description: 'pending, active, revoked or disconnected.' }),
  is_connected: Type.Boolean({
    description: 'Whether the user may change its shows, and disconnect it.',
  }),
  transcripts: Type.Boolean(),
  shows: Type.Array(SiteShow),
  created_at: moment,
  connected_at: moment,
  activated_at: nullable(moment),
  /** When its key was revoked or expired. */
  ended_at: nullable(moment),
  /** When its key expires. */
  expires_at: moment,
  plugin_version: nullable(Type.String()),
  wp_version: nullable(Type.String()),
  php_version: nullable(Type.String()),
  reported_at: nullable(moment),
  last_sync_at: nullable(moment),
  sync_error_count: Type.Integer(),
  /** The newest `seq` of its changes. */
  head_seq: Type.Integer(),
  last_call: nullable(
    Type.Object({
      at: moment,
      after_seq: Type.Integer(),
      /** Changes that wait; 1000 means that many or more. */
      behind: Type.Integer(),
    }),
  ),
  pings: nullable(
    Type.Object({
      sent_at: nullable(moment),
      failures: Type.Integer(),
      last_error: nullable(Type.String()),
    }),
  ),
});

export const SitePost = named('SitePost', {
  episode_id: id,
  podcast_id: id,
  title: nullable(Type.String()),
  post_url: Type.String(),
  wp_post_id: Type.Integer(),
  state: Type.String({ description: 'queued, scheduled, published, draft or trashed.' }),
  /** Null if the site did not report which version the post shows. */
  up_to_date: nullable(Type.Boolean()),
  /** Why the episode is gone: unpublished, deleted or show_removed. */
  gone: nullable(Type.String()),
  reported_at: moment,
  detached_at: nullable(moment),
});

/** A show that the user owns or administers. */
export const ConnectableShow = named('ConnectableShow', {
  id,
  slug: Type.String(),
  title: Type.String(),
  /** Null if it can be connected. */
  obstacle: nullable(
    Type.String({ description: 'hosted_elsewhere, plan_lapsed or plan_without_api.' }),
  ),
});

export const ChangeShows = closed({ podcasts: Type.Array(id, { maxItems: 1000 }) });

export const CreateSiteKey = closed({
  /** Chosen by the client, so that a repeated request creates one key. */
  id: Type.Optional(id),
  podcasts: Type.Array(id, { maxItems: 1000 }),
  transcripts: Type.Optional(Type.Boolean()),
  current_password: password,
});

/** The only response that contains the secret. */
export const SiteKey = named('SiteKey', {
  id,
  secret: Type.String(),
  expires_at: moment,
  /** The key ends then unless a site has registered it. */
  register_before: moment,
});
