import Type from 'typebox';
import {
  changeShows,
  createUnregisteredSiteKey,
  endConnection,
  getSite,
  listConnectableShows,
  listSitePosts,
  listSites,
} from '../../../domain/sites/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { sessionCaching } from '../../payload.ts';
import { defineRoute, type Route } from '../../route.ts';
import { openPage } from '../../v1/page-request.ts';
import { cursor, pageSize } from '../../v1/parameters.ts';
import { readTimePosition, writeTimePosition } from '../../v1/time-position.ts';
import { answerData } from '../answers.ts';
import { presentSite } from '../present.ts';
import { forSignedIn } from '../requester.ts';
import { created, ok, page } from '../responses.ts';
import { closed, ids } from '../schemas/fields.ts';
import {
  ChangeShows,
  ConnectableShow,
  CreateSiteKey,
  Site,
  SiteKey,
  SitePost,
} from '../schemas/sites.ts';

const path = '/app/api/sites';
const parameters = Type.Object({ limit: pageSize(100), cursor });

const listRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path,
  query: parameters,
  operation: {
    id: 'listSites',
    summary: 'A page of connected sites and those that were, newest first',
    responses: page(Site),
  },
  check: (http, input) =>
    openPage(http, { path, parameters, of: input.caller.session.userId }, input),
  async handle(_http, { caller: { ctx, session }, checked: page }) {
    const after = page.after && readTimePosition(page.after);
    const query = { userId: session.userId, limit: page.limit, after };
    const { items, next } = await listSites(ctx, query);
    const pagination = page.next(next && writeTimePosition(next));
    return {
      kind: 'json',
      body: { data: items.map(presentSite), pagination },
      caching: sessionCaching,
    };
  },
});

const getRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path: `${path}/:siteId`,
  params: ids('siteId'),
  operation: { id: 'getSite', summary: 'A connected site', responses: ok(Site) },
  async handle(_http, { caller: { ctx }, params: { siteId } }) {
    return answerData(presentSite(await getSite(ctx, siteId)));
  },
});

const postsRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path: `${path}/:siteId/posts`,
  params: ids('siteId'),
  query: parameters,
  operation: {
    id: 'listSitePosts',
    summary: 'A page of what a site has posted, the last report first',
    responses: page(SitePost),
  },
  check: (http, input) =>
    openPage(http, { path: `${path}/posts`, parameters, of: input.params.siteId ?? '' }, input),
  async handle(_http, { caller: { ctx }, params: { siteId }, checked: page }) {
    const after = page.after && readTimePosition(page.after);
    const { items, next } = await listSitePosts(ctx, siteId, { limit: page.limit, after });
    const pagination = page.next(next && writeTimePosition(next));
    return {
      kind: 'json',
      body: { data: items.map(wireNames), pagination },
      caching: sessionCaching,
    };
  },
});

const changeShowsRoute = defineRoute({
  ...forSignedIn,
  method: 'PUT',
  path: `${path}/:siteId/shows`,
  params: ids('siteId'),
  body: { json: ChangeShows },
  operation: {
    id: 'changeSiteShows',
    summary: 'Sets the shows that a site may read',
    responses: ok(Site),
  },
  async handle(_http, { caller: { ctx }, params: { siteId }, body: { podcasts } }) {
    return answerData(presentSite(await changeShows(ctx, siteId, podcasts)));
  },
});

const disconnectRoute = defineRoute({
  ...forSignedIn,
  method: 'POST',
  path: `${path}/:siteId/disconnect`,
  params: ids('siteId'),
  body: { json: closed({}) },
  operation: { id: 'disconnectSite', summary: 'Disconnects a site', responses: ok(Site) },
  async handle(_http, { caller: { ctx }, params: { siteId } }) {
    return answerData(presentSite(await endConnection(ctx, siteId)));
  },
});

const connectableRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path: '/app/api/connectable-shows',
  operation: {
    id: 'listConnectableShows',
    summary: 'The shows that the user owns or administers, and what keeps them from a site',
    responses: ok(Type.Array(ConnectableShow)),
  },
  async handle(_http, { caller: { ctx } }) {
    return answerData(await listConnectableShows(ctx));
  },
});

const createKeyRoute = defineRoute({
  ...forSignedIn,
  method: 'POST',
  path: '/app/api/site-keys',
  body: { json: CreateSiteKey },
  operation: {
    id: 'createSiteKey',
    summary: 'Creates a key that a site registers within 24 hours; responds with its secret once',
    responses: created(SiteKey),
  },
  async handle(_http, { caller: { ctx, session }, body, reply }) {
    const key = await createUnregisteredSiteKey(ctx, {
      id: body.id,
      userId: session.userId,
      podcastIds: body.podcasts,
      transcripts: body.transcripts ?? false,
      currentPassword: body.current_password,
    });
    reply.code(201);
    return answerData(wireNames(key));
  },
});

export const siteRoutes: readonly Route[] = [
  listRoute,
  getRoute,
  postsRoute,
  changeShowsRoute,
  disconnectRoute,
  connectableRoute,
  createKeyRoute,
];
