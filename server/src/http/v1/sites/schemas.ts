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
} from '../../described-fields.ts';

/** The schemas of requests and answers of connected sites, with the names of the API. */

export const siteExample = '0197a3c4-d7a9-7c82-ad93-2e4f6a8b0cb3';
export const siteUrlExample = 'https://blog.example.com/';
/** The largest integer that JSON numbers hold exactly. */
export const maxPostId = Number.MAX_SAFE_INTEGER;
const siteStatus = (example: SiteStatus) =>
  values(siteStatuses, 'State of the connection.', example);
const pingSecret = text(
  'Secret that signs pings to the site. Only this response contains it.',
  'q3Wc0mY2d1hR8sVtKpLx7uZbN4eJ5fG6aQ9oPiTnUyE',
);
const expiresAt = moment('When the key of the site ends.', '2027-03-01T05:00:00.000Z');

const SitePodcasts = Type.Array(id('The id of a podcast.', podcastExample), {
  description: 'The podcasts that the key of the site names, oldest first.',
});

const siteId = id(
  'The id of the connected site; stays the same when it connects again.',
  siteExample,
);

export const ExchangedCode = named('ExchangedCode', 'The connection of a site, with its secrets.', {
  site_id: siteId,
  api_key: text('The key of the site. Only this response contains it.', 'svc_live_…'),
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
      'Address of the settings of the plugin: an https address under `site_url` that contains `/wp-admin/`, without login details, port or fragment. If it is missing, a known one stays',
    examples: [`${siteUrlExample}wp-admin/options-general.php?page=podstead`],
  }),
);

export const VerifiedSite = named('VerifiedSite', 'A site that is active.', {
  site_id: siteId,
  status: siteStatus('active'),
  activated: flag('True only for the call that made the site active.', true),
  podcasts: SitePodcasts,
});

export const RegisteredSite = named(
  'RegisteredSite',
  'A site that its key is bound to, with its secret.',
  {
    site_id: siteId,
    site_url: url('Its home address, normalized.', siteUrlExample),
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

export const SitePost = named('SitePost', 'The report of a site about an episode.', {
  episode_id: id('The id of the episode.', episodeExample),
  state: values(postStates, 'The state of the episode on the site.', 'published'),
  post_url: url('Address of the post, normalized.', `${siteUrlExample}first-light/`),
  wp_post_id: Type.Integer({
    minimum: 1,
    maximum: maxPostId,
    description: 'Number of the post on the site.',
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
    'Why: its `post_url` is wrong, or its episode is not in the change feed of the site.',
    'not_found',
  ),
  message: text('The reason in words.', "This episode is not in the site's change feed."),
});

export const SitePosts = named('SitePosts', 'What became of the reports of one request.', {
  posts: Type.Array(SitePost, { description: 'The records of the posts.' }),
  refused: Type.Array(RefusedReport, { description: 'Reports that were not stored.' }),
});

export const DisconnectedSite = named('DisconnectedSite', 'A site whose key has ended.', {
  site_id: siteId,
  status: siteStatus('revoked'),
  revoked_at: moment('When the site disconnected itself.', '2026-03-01T05:00:00.000Z'),
});
