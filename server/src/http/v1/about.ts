import { accountRequestsPerMinute, apiPlans } from '../../domain/accounts/index.ts';
import {
  exchangesPerMinute,
  publicRequestsPerMinute,
  refusedRequestsPerMinute,
} from '../../platform/rate-limiter/request-limits.ts';

/** The installation in all examples and in the committed document. */
export const exampleBaseUrl = 'https://podstead.example';

const planQuotas = apiPlans
  .map(({ name, requestsPerMinute }) => `${name} ${requestsPerMinute}`)
  .join(', ');

/** The OpenAPI document's description of the whole API, in Markdown. */
export const apiDescription = `Reads of the podcasts and episodes that this installation publishes, and with a key of your own podcasts behind their public face.

**Access.** Public endpoints need no credentials and ignore an \`Authorization\` header. Those under \`/v1/me\` need an API key, in \`Authorization: Bearer <API_KEY>\`. Keys are made in the account settings, hold the scopes chosen there, and read only. They belong on servers: answers to keys carry no CORS headers. A key in a URL is refused.

**Methods.** \`HEAD\` is answered wherever \`GET\` is, with the same status and headers. \`OPTIONS\` answers CORS preflights of public endpoints. Any other method is refused with 405 and \`Allow\`, an unknown path with 404, both with the error body below.

**Caching.** Public answers may be kept for a minute; asking more often gains nothing. Answers to keys are for whoever asked, and asked for again before each use. All carry an \`ETag\`; with \`If-None-Match\` an unchanged answer costs a 304 without a body.

**Limits.** Public endpoints: ${publicRequestsPerMinute} requests a minute for each client address (IPv6: each /64 network), unless the operator of the installation has set another number. With a key, in a minute: ${accountRequestsPerMinute} across all keys of a user, and for all podcasts of one account what its plan allows: ${planQuotas}. \`RateLimit-Policy\` and \`RateLimit\` tell what is left. Requests without a valid key: ${refusedRequestsPerMinute} a minute for each client address. Exchanges of codes of sites: ${exchangesPerMinute}. Beyond a limit: 429 with \`Retry-After\`.

**Pages.** Pass \`pagination.next_cursor\` back as \`cursor\`, with the same filters, until it is null. A cursor is opaque.

**Errors.** Every error has the same body. Decide by \`error.code\`; \`error.details\` names every wrong parameter at once.

**Versions.** New fields, endpoints and optional parameters come without notice: ignore what you do not know. Anything else happens under a new prefix.`;

/** Groups of endpoints, in reading order. */
export const apiTags = {
  Podcasts: 'Shows, by slug or UUID.',
  Episodes: 'What a show has published. Drafts and episodes still to come do not exist here.',
  Key: 'Who asks.',
  'Your podcasts': 'The shows a key reads, whatever the public sees of them.',
  'Your episodes': 'Drafts and scheduled ones too. Media stands on an episode once it is public.',
  'Your analytics':
    'Downloads of the podcasts you own, as this service counts them; every answer says of which days, how complete and by which method.',
  'Connected sites':
    'For the plugin of a content-management site: it connects, reads what to post, and reports back.',
  oEmbed: 'Players for listen pages, for sites that embed links.',
  Description: 'This API, for machines.',
} as const;

export type ApiTag = keyof typeof apiTags;
