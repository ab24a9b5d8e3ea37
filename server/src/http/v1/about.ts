/** The installation that examples speak of; also the one of the committed document. */
export const exampleBaseUrl = 'https://podstead.example';

/** What the OpenAPI document says of the API as a whole. Markdown. */
export const apiDescription = `Reads of the podcasts and episodes that this installation publishes.

**Access.** No credentials are needed. An \`Authorization\` header is ignored; an API key in a URL is refused.

**Methods.** \`HEAD\` is answered wherever \`GET\` is, with the same status and headers. \`OPTIONS\` answers CORS preflights. Any other method is refused with 405 and \`Allow\`, an unknown path with 404, both with the error body below.

**Caching.** Answers may be kept for a minute and carry an \`ETag\`; with \`If-None-Match\` an unchanged answer costs a 304 without a body. Asking more than once a minute gains nothing.

**Limits.** 600 requests in 60 seconds for each client address (IPv6: each /64 network), unless the operator of the installation has set another number. Beyond that: 429 with \`Retry-After\`.

**Pages.** Lists are newest first. Pass \`pagination.next_cursor\` back as \`cursor\`, with the same filters, until it is null. A cursor is opaque.

**Errors.** Every error has the same body. Decide by \`error.code\`; \`error.details\` names every wrong parameter at once.

**Versions.** New fields, endpoints and optional parameters come without notice: ignore what you do not know. Anything else happens under a new prefix.`;

/** Groups of endpoints, in the order in which they are read. */
export const apiTags = {
  Podcasts: 'Shows, by slug or UUID.',
  Episodes: 'What a show has published. Drafts and episodes still to come do not exist here.',
  oEmbed: 'Players for listen pages, for sites that embed links.',
  Description: 'This API, for machines.',
} as const;

export type ApiTag = keyof typeof apiTags;
