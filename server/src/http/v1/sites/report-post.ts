import Type from 'typebox';
import {
  checkReported,
  maxAddressChars,
  postStates,
  reportPost,
} from '../../../domain/sites/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { episodeId } from '../parameters.ts';
import { maxPostId, SitePost, siteUrlExample } from './schemas.ts';
import { defineSiteReport, reported } from './site-route.ts';

export const reportPostRoute = defineSiteReport({
  path: 'episodes/:episode_id/post',
  params: Type.Object({ episode_id: episodeId }),
  body: Type.Object({
    post_url: Type.String({
      minLength: 1,
      maxLength: maxAddressChars,
      description:
        'Address of the post: https, on the host of the site and under its home path, without login details, port or fragment',
      examples: [`${siteUrlExample}first-light/`],
    }),
    state: Type.Enum([...postStates], {
      type: 'string',
      description: 'The state of the episode on the site',
      examples: ['published'],
    }),
    wp_post_id: Type.Integer({
      minimum: 1,
      maximum: maxPostId,
      description: 'Number of the post on the site',
      examples: [217],
    }),
    content_hash: Type.Optional(
      Type.String({
        pattern: '^[0-9A-Za-z:_-]{1,128}$',
        description: '`content_hash` of the change that the post shows now: 1 to 128 characters',
        examples: ['q3Wc0mY2d1hR8sVtKpLx7uZbN4eJ5fG6aQ9oPiTnUyE'],
      }),
    ),
  }),
  id: 'reportSitePost',
  tag: 'Connected sites',
  summary: 'Report the post of an episode',
  description:
    'A repeated report of an episode updates its record. Episodes with a tombstone can be reported. An episode that is not in the change feed of the site is answered 404. Needs no plan. Unknown properties are ignored.',
  responses: reported('The record of the post.', SitePost),
  check({ body, site, refuse }) {
    if (site !== undefined) refuse(...checkReported(site, { postUrl: body.post_url }));
  },
  async answer(ctx, { siteId, params, body }) {
    const post = await reportPost(ctx, {
      siteId,
      episodeId: params.episode_id.toLowerCase(),
      postUrl: body.post_url,
      state: body.state,
      wpPostId: body.wp_post_id,
      contentHash: body.content_hash,
    });
    return { data: wireNames({ ...post, upToDate: post.isUpToDate }) };
  },
});
