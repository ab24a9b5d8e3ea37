import Type, { type Static } from 'typebox';
import {
  checkReported,
  disconnectSite,
  maxAddressChars,
  maxReportedPosts,
  type PostReport,
  postStates,
  type ReportedVersions,
  reportHealth,
  reportPost,
  reportPosts,
  verifySite,
} from '../../../domain/exchange/sites/index.ts';
import { tryParseTimestamp } from '../../../lib/time.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { nullable, someText } from '../../openapi/described-fields.ts';
import { episodeId } from '../../requests/parameters.ts';
import { defineSiteReport, reported } from './site-route.ts';
import {
  adminUrl,
  DisconnectedSite,
  maxPostId,
  reportedVersions,
  SiteHealth,
  SitePost,
  SitePosts,
  siteUrlExample,
  VerifiedSite,
} from './site-schemas.ts';

export const healthRoute = defineSiteReport({
  path: 'health',
  body: Type.Object({
    ...reportedVersions,
    admin_url: adminUrl,
    last_sync_at: Type.Optional(
      nullable(
        someText('2026-03-01T05:00:00.000Z'),
        'When the site last applied changes: ISO 8601 with a zone, or null for never.',
      ),
    ),
    sync_error_count: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        default: 0,
        description: 'Errors since the previous report',
        examples: [0],
      }),
    ),
  }),
  id: 'reportSiteHealth',
  tag: 'Connected sites',
  summary: 'Report how a site is doing',
  description: 'Its owner sees it in the app. Requires no plan. Unknown properties are ignored.',
  responses: reported('The report was received.', SiteHealth),
  check({ body, site, refuse }) {
    if (site !== undefined) refuse(...checkReported(site, { adminUrl: body.admin_url }));
    const { last_sync_at: given } = body;
    const lastSyncAt = given == null ? given : tryParseTimestamp(given);
    if (given != null && lastSyncAt === undefined) {
      const message = 'This must be a time such as 2026-03-01T05:00:00Z, or null.';
      refuse({ field: 'last_sync_at', message });
    }
    return { lastSyncAt };
  },
  async respond(ctx, { siteId, body, checked }) {
    const received = await reportHealth(ctx, {
      siteId,
      versions: readVersions(body),
      adminUrl: body.admin_url,
      lastSyncAt: checked.lastSyncAt,
      syncErrorCount: body.sync_error_count ?? 0,
    });
    return { data: wireNames(received) };
  },
});

interface GivenVersions {
  readonly plugin_version: string;
  readonly wp_version: string;
  readonly php_version: string;
}

function readVersions(body: GivenVersions): ReportedVersions {
  return { plugin: body.plugin_version, wordpress: body.wp_version, php: body.php_version };
}

export const verifyRoute = defineSiteReport({
  path: 'verify',
  body: Type.Object({
    ...reportedVersions,
    site_name: Type.Optional(
      Type.String({
        pattern: '^[^\\p{Cc}\\p{Cf}\\p{Cs}]{1,200}$',
        description: "The site's name: 1 to 200 characters, without control and format characters",
        examples: ['Ana’s blog'],
      }),
    ),
  }),
  id: 'verifySite',
  tag: 'Connected sites',
  summary: 'Make a connected site active',
  description:
    'Call it right after the exchange or the registration, and whenever the versions change. Requires no plan. Unknown properties are ignored.',
  responses: reported('The site.', VerifiedSite),
  async respond(ctx, { siteId, body }) {
    const versions = readVersions(body);
    const site = await verifySite(ctx, { siteId, versions, siteName: body.site_name });
    return { data: wireNames({ ...site, status: 'active', podcasts: site.podcastIds }) };
  },
});

export const disconnectRoute = defineSiteReport({
  path: 'disconnect',
  body: Type.Object({}, { additionalProperties: false }),
  id: 'disconnectSite',
  tag: 'Connected sites',
  summary: 'Disconnect the calling site',
  description:
    'Its key is revoked: later requests with it get 401 `invalid_api_key`. Its posts stay on the site. Requires no plan.',
  responses: reported('The site.', DisconnectedSite),
  async respond(ctx, { siteId }) {
    return { data: wireNames({ ...(await disconnectSite(ctx, siteId)), status: 'revoked' }) };
  },
});

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
  async respond(ctx, { siteId, params, body }) {
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
  async respond(ctx, { siteId, body }) {
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
