import Type from 'typebox';
import {
  maxAddressChars,
  postStates,
  type SiteStatus,
  siteStatuses,
} from '../../../domain/exchange/sites/index.ts';
import { scopes } from '../../../domain/foundation/enumerations.ts';
import {
  episodeExample,
  flag,
  id,
  moment,
  named,
  nullable,
  podcastExample,
  someText,
  text,
  url,
  values,
} from '../../openapi/described-fields.ts';

/** The schemas of requests and responses of connected sites, with the names of the API. */

export const siteExample = '0197a3c4-d7a9-7c82-ad93-2e4f6a8b0cb3';
export const siteUrlExample = 'https://blog.example.com/';
/** The largest integer that JSON numbers hold exactly. */
export const maxPostId = Number.MAX_SAFE_INTEGER;
const siteStatus = (example: SiteStatus) =>
  values(siteStatuses, "The connection's state.", example);
const pingSecret = text(
  'Secret that signs pings to the site. Only this response contains it.',
  'q3Wc0mY2d1hR8sVtKpLx7uZbN4eJ5fG6aQ9oPiTnUyE',
);
const expiresAt = moment("When the site's key expires.", '2027-03-01T05:00:00.000Z');

const SitePodcasts = Type.Array(id('The id of a podcast.', podcastExample), {
  description: "The podcasts that the site's key names, oldest first.",
});

const siteId = id(
  'The id of the connected site; stays the same when it connects again.',
  siteExample,
);

export const ExchangedCode = named('ExchangedCode', "A site's connection, with its secrets.", {
  site_id: siteId,
  api_key: text("The site's key. Only this response contains it.", 'svc_live_…'),
  ping_secret: pingSecret,
  expires_at: expiresAt,
  scopes: Type.Array(values(scopes, 'A scope.', 'episodes:read'), {
    description: 'What the key may be used for.',
  }),
  podcasts: SitePodcasts,
});

const version = (description: string, example: string) =>
  Type.String({ pattern: '^[0-9A-Za-z.+_ -]{1,32}$', description, examples: [example] });

/** The versions that verifications and health reports contain. */
export const reportedVersions = {
  plugin_version: version('Version of the plugin: 1 to 32 characters', '1.0.0'),
  wp_version: version('Version of WordPress: 1 to 32 characters', '6.9'),
  php_version: version('Version of PHP: 1 to 32 characters', '8.4.1'),
};

export const adminUrl = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: maxAddressChars,
    description:
      "URL of the plugin's settings: an https URL under `site_url` that contains `/wp-admin/`, without login details, port or fragment. If omitted, a known one is kept",
    examples: [`${siteUrlExample}wp-admin/options-general.php?page=podstead`],
  }),
);

export const VerifiedSite = named('VerifiedSite', 'An active site.', {
  site_id: siteId,
  status: siteStatus('active'),
  activated: flag('True only for the call that made the site active.', true),
  podcasts: SitePodcasts,
});

export const RegisteredSite = named(
  'RegisteredSite',
  'The site that the key is bound to, with its secret.',
  {
    site_id: siteId,
    site_url: url('Its home URL, normalized.', siteUrlExample),
    status: siteStatus('pending'),
    ping_secret: pingSecret,
    expires_at: expiresAt,
  },
);

export const SiteHealth = named('SiteHealth', 'A report that was received.', {
  site_id: siteId,
  status: siteStatus('active'),
  received_at: moment('When the report was received.', '2026-03-01T05:00:00.000Z'),
});

export const SitePost = named('SitePost', "A site's report about an episode.", {
  episode_id: id('The id of the episode.', episodeExample),
  state: values(postStates, 'The state of the episode on the site.', 'published'),
  post_url: url('URL of the post, normalized.', `${siteUrlExample}first-light/`),
  wp_post_id: Type.Integer({
    minimum: 1,
    maximum: maxPostId,
    description: "The post's number on the site.",
    examples: [217],
  }),
  content_hash: nullable(
    someText('q3Wc0mY2d1hR8sVtKpLx7uZbN4eJ5fG6aQ9oPiTnUyE'),
    '`content_hash` of the change that the post shows; null if the report had none.',
  ),
  up_to_date: flag("Whether this is the episode's newest change.", true),
  reported_at: moment('When the report was received.', '2026-03-01T05:00:00.000Z'),
});

const RefusedReport = named('RefusedReport', 'A report that was not stored.', {
  episode_id: id('The id of the episode, as reported.', episodeExample),
  code: values(
    ['invalid_request', 'not_found'],
    "Why: its `post_url` is invalid, or its episode is not in the site's change feed.",
    'not_found',
  ),
  message: text('The reason in words.', "This episode is not in the site's change feed."),
});

export const SitePosts = named('SitePosts', "The results of one request's reports.", {
  posts: Type.Array(SitePost, { description: 'The records of the posts.' }),
  refused: Type.Array(RefusedReport, { description: 'Reports that were not stored.' }),
});

export const DisconnectedSite = named('DisconnectedSite', 'A site whose key is revoked.', {
  site_id: siteId,
  status: siteStatus('revoked'),
  revoked_at: moment('When the site disconnected itself.', '2026-03-01T05:00:00.000Z'),
});
