import Type from 'typebox';
import { scopes } from '../../../domain/permissions/index.ts';
import { siteStatuses } from '../../../domain/sites/index.ts';
import { flag, id, moment, podcastExample, text, values } from '../fields.ts';

/** The shapes that connected sites send and read, in the wire's names. */

export const siteExample = '0197a3c4-d7a9-7c82-ad93-2e4f6a8b0cb3';
const pingSecret = text(
  'Signs the pings that the site gets. Told only here.',
  'q3Wc0mY2d1hR8sVtKpLx7uZbN4eJ5fG6aQ9oPiTnUyE',
);
const expiresAt = moment('When the key of the site ends.', '2027-03-01T05:00:00.000Z');

const SitePodcasts = Type.Array(id('Of a podcast.', podcastExample), {
  description: 'The podcasts that the key of the site names, oldest first.',
});

const siteId = id('Of the connected site; stays when it connects again.', siteExample);

export const ExchangedCode = Type.Object(
  {
    site_id: siteId,
    api_key: text('The key of the site. Told only here.', 'svc_live_…'),
    ping_secret: pingSecret,
    expires_at: expiresAt,
    scopes: Type.Array(values(scopes, 'A scope.', 'episodes:read'), {
      description: 'What the key may be used for.',
    }),
    podcasts: SitePodcasts,
  },
  { $id: 'ExchangedCode', description: 'The connection of a site, with its secrets.' },
);

const version = (description: string, example: string) =>
  Type.String({ pattern: '^[0-9A-Za-z.+_ -]{1,32}$', description, examples: [example] });

/** What verification and health reports say of the site's programs. */
export const reportedVersions = {
  plugin_version: version('Version of the plugin: 1 to 32 characters', '1.0.0'),
  wp_version: version('Version of WordPress: 1 to 32 characters', '6.9'),
  php_version: version('Version of PHP: 1 to 32 characters', '8.4.1'),
};

export const VerifiedSite = Type.Object(
  {
    site_id: siteId,
    status: values(siteStatuses, 'State of the connection.', 'active'),
    activated: flag('True only for the call that made the site active.', true),
    podcasts: SitePodcasts,
  },
  { $id: 'VerifiedSite', description: 'A site that is active.' },
);
