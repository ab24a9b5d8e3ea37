import Type from 'typebox';
import { DomainError, invalid } from '../src/domain/foundation/errors.ts';
import { text } from '../src/http/openapi/described-fields.ts';
import { type Caching, keyedCaching, noStore } from '../src/http/responses/payload.ts';
import type { Operation, Route } from '../src/http/route.ts';
import { defineEpisodeRoute, defineKeyedRoute } from '../src/http/v1/keyed/keyed-route.ts';
import { keyedResponses } from '../src/http/v1/responses.ts';

/** Kinds of endpoints that the product does not have, or only for keys of sites. */

const id = (name: string) =>
  Type.String({
    pattern: '^[0-9a-f-]{36}$',
    description: `The ${name}'s UUID`,
    examples: ['0197a3c4-d7a9-7c82-ad93-2e4f6a8b0cb3'],
  });
const siteId = Type.Object({ site_id: id('site') });
const given = { state: text('What the plugin stored.', "it's random") };
const Site = Type.Object(
  { data: Type.Object({ state: text('As it was sent.', 'random') }, { description: 'The site.' }) },
  { $id: 'SampleSite', description: 'What became of it.' },
);

const describe = (id: string, responses: Operation['responses']): Operation => ({
  id,
  tag: 'Key',
  summary: `Sample: ${id}`,
  description: 'Of the tests.',
  responses,
});
const counted = ['KeyedVary', 'RateLimitPolicy', 'RateLimit', 'ContentEncoding'] as const;
const done = { description: 'Done.', schema: Site, headers: ['KeyedCaching', ...counted] } as const;
const secret: Caching = { ...keyedCaching, cacheControl: noStore };

/** Is about the site of the key, without an id in the path. */
const register = defineKeyedRoute({
  method: 'POST',
  path: '/v1/me/samples',
  action: 'podcast.read',
  body: Type.Object(given, { additionalProperties: false }),
  caching: secret,
  ...describe('register', {
    201: { description: 'A secret.', schema: Site, headers: ['SecretCaching', ...counted] },
  }),
  check(_http, { body, refuse }) {
    if (body.state === 'bad') {
      refuse({ field: 'state', message: 'Not this one.', reason: 'challenge_mismatch' });
    }
  },
  respond: async (_http, { body }) => ({ data: body }),
});

/** Ignores unknown properties. */
const report = defineKeyedRoute({
  method: 'POST',
  path: '/v1/me/samples/:site_id/health',
  params: siteId,
  body: Type.Object({
    ...given,
    errors: Type.Optional(Type.Integer({ maximum: 9, examples: [0] })),
  }),
  ...describe('report', { 200: done }),
  respond: async (_http, { body }) => ({ data: body }),
});

const disconnect = defineKeyedRoute({
  method: 'POST',
  path: '/v1/me/samples/:site_id/disconnect',
  params: siteId,
  body: Type.Object({}, { additionalProperties: false }),
  ...describe('disconnect', { 200: done }),
  respond: async () => ({ data: { state: 'revoked' } }),
});

/** DELETE without a body, and with one. */
const remove = defineKeyedRoute({
  method: 'DELETE',
  path: '/v1/me/samples/:site_id',
  params: siteId,
  ...describe('remove', { 200: done }),
  respond: async () => ({ data: { state: 'removed' } }),
});
const removeWhy = defineKeyedRoute({
  method: 'DELETE',
  path: '/v1/me/samples/:site_id/shows',
  params: siteId,
  body: Type.Object(given),
  ...describe('removeWhy', { 200: done }),
  respond: async (_http, { body }) => ({ data: body }),
});

/** Has a position instead of a cursor. One of its refusals comes after the check of reach. */
const changes = defineKeyedRoute({
  path: '/v1/me/samples/:site_id/changes',
  params: siteId,
  query: Type.Object({
    after: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'The last one' })),
  }),
  ...describe('changes', keyedResponses('Changes.', Site)),
  async respond(_http, { params, query: { after = 0 } }) {
    if (params.site_id.startsWith('f')) throw new DomainError('not_found', 'No such site.');
    if (after > 7) throw invalid('after', 'Start again at 0.', 'unknown_position');
    return { data: { state: String(after) } };
  },
});

/** A write about an episode, defined like the routes that read it. */
const post = defineEpisodeRoute({
  method: 'PUT',
  path: '/v1/me/episodes/:episode_id/post',
  action: 'episodes.read',
  body: Type.Object(given),
  ...describe('post', { 200: done }),
  respond: async (_http, { body, episodeId }) => ({
    data: { state: `${episodeId} ${body.state}` },
  }),
});

export const sampleEndpoints: readonly Route[] = [
  ...[register, report, disconnect, remove, removeWhy, changes, post],
];
