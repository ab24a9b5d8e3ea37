import Type from 'typebox';
import {
  changeShows,
  createUnregisteredSiteKey,
  endConnection,
  getSite,
  listConnectableShows,
  listSitePosts,
  listSites,
} from '../../../domain/exchange/sites/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { pageParameters } from '../../requests/parameters.ts';
import { byCreation } from '../../requests/positions.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { presentSite } from '../present.ts';
import { created, ok, page } from '../response.ts';
import {
  ChangeShows,
  ConnectableShow,
  CreateSiteKey,
  Site,
  SiteKey,
  SitePost,
} from '../schemas/sites.ts';

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
