import { accountRequestsPerMinute, apiPlans } from '../../domain/foundation/accounts/index.ts';
import {
  exchangesPerMinute,
  publicRequestsPerMinute,
  refusedRequestsPerMinute,
} from '../../platform/rate-limiter/request-limits.ts';

const planQuotas = apiPlans
  .map(({ name, requestsPerMinute }) => `${name} ${requestsPerMinute}`)
  .join(', ');

/** The OpenAPI document's description of the whole API, in Markdown. */
export const apiDescription = `Read the podcasts and episodes that this installation publishes. With a key, read your own podcasts, including what is not public.

**Access.** Public endpoints need no credentials and ignore an \`Authorization\` header. Those under \`/v1/me\` need an API key, in \`Authorization: Bearer <API_KEY>\`. Create keys in the account settings. A key has the scopes that you choose there, and can only read. Use keys only on servers: responses to keys have no CORS headers. A key in a URL is refused.

**Methods.** \`HEAD\` is supported wherever \`GET\` is, with the same status and headers. \`OPTIONS\` serves CORS preflights of public endpoints. Any other method is refused with 405 and \`Allow\`, an unknown path with 404, both with the error body below.

**Caching.** Public responses may be cached for a minute, so more frequent requests gain nothing. Only the client may cache responses to keys, and must revalidate them before each use. All responses have an \`ETag\`: with \`If-None-Match\`, an unchanged one is a 304 without a body.

**Limits.** Public endpoints: ${publicRequestsPerMinute} requests a minute per client IP address (IPv6: per /64 network, and ten times as many per /48), unless the installation's operator has set another number. With a key, per minute: ${accountRequestsPerMinute} across all of a user's keys, and for all of an account's podcasts what its plan allows: ${planQuotas}. \`RateLimit-Policy\` and \`RateLimit\` show what is left. Requests without a valid key: ${refusedRequestsPerMinute} a minute per client IP address. Exchanges of site codes: ${exchangesPerMinute}. Beyond a limit: 429 with \`Retry-After\`.

**Pages.** Pass \`pagination.next_cursor\` back as \`cursor\`, with the same filters, until it is null. A cursor is opaque.

**Errors.** Every error has the same body. Programs should use \`error.code\`; \`error.details\` names all invalid parameters at once.

**Versions.** New fields, endpoints and optional parameters are added without notice: ignore unknown fields. All other changes get a new prefix.`;

/** Groups of endpoints, in reading order. */
export const apiTags = {
  Podcasts: 'Shows, by slug or UUID.',
  Episodes: 'The published episodes of a show. Drafts and scheduled episodes are not found here.',
  Key: 'The key and its user.',
  'Your podcasts': 'The shows that a key can access, public or not.',
  'Your episodes': 'Episodes of any status. Media URLs are null until the episode is public.',
  'Your analytics':
    "Your podcasts' downloads, as this service counts them. Every response states its days, its completeness and the method.",
  'Connected sites':
    'For the plugin of a content-management site: it connects, reads what to post, and reports back.',
  oEmbed: 'Players for listen pages, for sites that embed links.',
  Description: 'This API, for machines.',
} as const;

export type ApiTag = keyof typeof apiTags;
