import type { Static } from 'typebox';
import Type from 'typebox';
import {
  changeShows,
  createUnregisteredSiteKey,
  endConnection,
  endOf,
  getSite,
  isConnected,
  type ListedSite,
  listConnectableShows,
  listSitePosts,
  listSites,
  mayStay,
} from '../../../domain/exchange/sites/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { pageParameters } from '../../requests/parameters.ts';
import { byCreation } from '../../requests/positions.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { closed, id, moment, named, nullable, password } from '../field-schemas.ts';
import { created, ok, page } from '../response.ts';

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
  shows: Type.Array(SiteShow, {
    description: 'Oldest first. In lists: only the first 20.',
  }),
  show_count: Type.Integer(),
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

const SitePost = named('SitePost', {
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
const ConnectableShow = named('ConnectableShow', {
  id,
  slug: Type.String(),
  title: Type.String(),
  /** Null if it can be connected. */
  obstacle: nullable(
    Type.String({ description: 'hosted_elsewhere, plan_lapsed or plan_without_api.' }),
  ),
});

const ChangeShows = closed({ podcasts: Type.Array(id, { maxItems: 1000 }) });

const CreateSiteKey = closed({
  /** Chosen by the client, so that a repeated request creates one key. */
  id: Type.Optional(id),
  podcasts: Type.Array(id, { maxItems: 1000 }),
  transcripts: Type.Optional(Type.Boolean()),
  current_password: password,
});

/** The only response that contains the secret. */
const SiteKey = named('SiteKey', {
  id,
  secret: Type.String(),
  expires_at: moment,
  /** The key ends then unless a site has registered it. */
  register_before: moment,
});

export function presentSite(site: ListedSite): Static<typeof Site> {
  return {
    ...wireNames(site),
    shows: site.shows.map((show) => ({ ...show, may_stay: mayStay(show) })),
    is_connected: isConnected(site),
    ended_at: endOf(site)?.toISOString() ?? null,
  };
}

const path = '/app/api/sites';

export const siteRoutes: readonly Route[] = [
  defineEndpoint(`GET ${path}`, {
    id: 'listSites',
    summary: 'A page of connected and formerly connected sites, newest first',
    query: Type.Object(pageParameters),
    response: page(Site),
    handle: ({ ctx, session: { userId } }, { page }) =>
      page.read(byCreation, (query) => listSites(ctx, { ...query, userId }), presentSite),
  }),
  defineEndpoint(`GET ${path}/:siteId`, {
    id: 'getSite',
    summary: 'A connected site',
    response: ok(Site),
    handle: async ({ ctx }, { params: { siteId } }) => presentSite(await getSite(ctx, siteId)),
  }),
  defineEndpoint(`GET ${path}/:siteId/posts`, {
    id: 'listSitePosts',
    summary: "A page of a site's posts, last reported first",
    query: Type.Object(pageParameters),
    response: page(SitePost),
    handle: ({ ctx }, { params: { siteId }, page }) =>
      page.read(byCreation, (query) => listSitePosts(ctx, siteId, query), wireNames),
  }),
  defineEndpoint(`PUT ${path}/:siteId/shows`, {
    id: 'changeSiteShows',
    summary: 'Sets the shows that a site may read',
    body: { json: ChangeShows },
    response: ok(Site),
    handle: async ({ ctx }, { params: { siteId }, body: { podcasts } }) =>
      presentSite(await changeShows(ctx, siteId, podcasts)),
  }),
  defineEndpoint(`POST ${path}/:siteId/disconnect`, {
    id: 'disconnectSite',
    summary: 'Disconnects a site',
    response: ok(Site),
    handle: async ({ ctx }, { params: { siteId } }) =>
      presentSite(await endConnection(ctx, siteId)),
  }),
  defineEndpoint('GET /app/api/connectable-shows', {
    id: 'listConnectableShows',
    summary:
      'A page of the shows that the user owns or administers, oldest first, and why some cannot be connected',
    query: Type.Object(pageParameters),
    response: page(ConnectableShow),
    handle: ({ ctx }, { page }) =>
      page.read(byCreation, (query) => listConnectableShows(ctx, query), wireNames),
  }),
  defineEndpoint('POST /app/api/site-keys', {
    id: 'createSiteKey',
    summary: 'Creates a key that a site registers within 24 hours; responds with its secret once',
    body: { json: CreateSiteKey },
    response: created(SiteKey),
    async handle({ ctx, session }, { body }) {
      const key = await createUnregisteredSiteKey(ctx, {
        id: body.id,
        userId: session.userId,
        podcastIds: body.podcasts,
        transcripts: body.transcripts ?? false,
        currentPassword: body.current_password,
      });
      return wireNames(key);
    },
  }),
];
