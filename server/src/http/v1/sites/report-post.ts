import Type, { type Static } from 'typebox';
import {
  checkReported,
  maxAddressChars,
  maxReportedPosts,
  type PostReport,
  postStates,
  reportPost,
  reportPosts,
} from '../../../domain/exchange/sites/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { episodeId } from '../../requests/parameters.ts';
import { maxPostId, SitePost, SitePosts, siteUrlExample } from './schemas.ts';
import { defineSiteReport, reported } from './site-route.ts';

const Report = Type.Object({
  post_url: Type.String({
    minLength: 1,
    maxLength: maxAddressChars,
    description:
      "URL of the post: https, on the site's host and under its home path, without login details, port or fragment",
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
    description: "The post's number on the site",
    examples: [217],
  }),
  content_hash: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Za-z:_-]{1,128}$',
      description:
        '`content_hash` of the change that the post currently shows: 1 to 128 characters',
      examples: ['q3Wc0mY2d1hR8sVtKpLx7uZbN4eJ5fG6aQ9oPiTnUyE'],
    }),
  ),
});

const toReport = (episodeId: string, report: Static<typeof Report>): PostReport => ({
  episodeId: episodeId.toLowerCase(),
  postUrl: report.post_url,
  state: report.state,
  wpPostId: report.wp_post_id,
  contentHash: report.content_hash,
});
const presentPost = (post: Awaited<ReturnType<typeof reportPost>>) =>
  wireNames({ ...post, upToDate: post.isUpToDate });

export const reportPostRoute = defineSiteReport({
  path: 'episodes/:episode_id/post',
  params: Type.Object({ episode_id: episodeId }),
  body: Report,
  id: 'reportSitePost',
  tag: 'Connected sites',
  summary: 'Report the post of an episode',
  description:
    "Reporting an episode again updates its record. Episodes with a tombstone can be reported. 404 for an episode that is not in the site's change feed. Requires no plan. Unknown properties are ignored.",
  responses: reported('The record of the post.', SitePost),
  check({ body, site, refuse }) {
    if (site !== undefined) refuse(...checkReported(site, { postUrl: body.post_url }));
  },
  async answer(ctx, { siteId, params, body }) {
    const post = await reportPost(ctx, siteId, toReport(params.episode_id, body));
    return { data: presentPost(post) };
  },
});

export const reportPostsRoute = defineSiteReport({
  path: 'posts',
  body: Type.Object({
    posts: Type.Array(Type.Object({ episode_id: episodeId, ...Report.properties }), {
      minItems: 1,
      maxItems: maxReportedPosts,
      description: 'The reports. If an episode is reported twice, the last report is used.',
    }),
  }),
  id: 'reportSitePosts',
  tag: 'Connected sites',
  summary: 'Report the posts of many episodes',
  description:
    'Like the report of one post, for up to 100 in one request of at most 64 KiB. Each is stored or refused on its own, so one invalid report does not hold up the others.',
  responses: reported('The records of the posts, and the reports that were refused.', SitePosts),
  async answer(ctx, { siteId, body }) {
    const reports = body.posts.map((post) => toReport(post.episode_id, post));
    const { posts, refused } = await reportPosts(ctx, siteId, reports);
    return {
      data: {
        posts: posts.map(presentPost),
        refused: refused.map(({ episodeId: episode_id, code, details: [detail] }) => ({
          episode_id,
          code: code === 'invalid' ? 'invalid_request' : code,
          message: detail?.message ?? "This episode is not in the site's change feed.",
        })),
      },
    };
  },
});
