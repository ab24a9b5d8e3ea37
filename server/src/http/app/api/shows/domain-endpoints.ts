import Type, { type Static } from 'typebox';
import { ownDomainUrl } from '../../../../domain/foundation/addresses.ts';
import type { Context } from '../../../../domain/foundation/context.ts';
import { domainStates } from '../../../../domain/foundation/enumerations.ts';
import {
  checkDomain,
  getDomain,
  removeDomain,
  setDomain,
} from '../../../../domain/publishing/domains/index.ts';
import { readPodcast } from '../../../../domain/publishing/podcasts/index.ts';
import { wireNames } from '../../../../lib/wire-names.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { closed, moment, named, nullable } from '../../field-schemas.ts';
import { revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';

const text = Type.String();
const texts = Type.Array(text);

const Domain = named('OwnDomain', {
  host: text,
  url: text,
  state: Type.Enum([...domainStates], { type: 'string' }),
  /** What the last check found that got responses. */
  found: nullable(
    Type.Object({
      txt: texts,
      addresses: texts,
      /** There are addresses that the internet does not reach. They are left out. */
      is_internal: Type.Boolean(),
    }),
  ),
  checked_at: nullable(moment),
  /** When the last check began; after `checked_at` if no name server responded. */
  tried_at: nullable(moment),
  /** The records are right, but another show has the domain. */
  taken: Type.Boolean(),
});

const DomainOfShow = named('DomainOfShow', {
  revision: Type.Integer(),
  /** Null: the show has none. */
  domain: nullable(Domain),
  /** The records that verify it. */
  expected: nullable(
    Type.Object({
      txt_name: text,
      txt: text,
      /** Host names and IP addresses, to one of which the domain leads. */
      target: texts,
      addresses: texts,
    }),
  ),
  redirect_feed: Type.Boolean(),
});

const path = '/app/api/podcasts/:podcastId/domain';

export const domainEndpoints: readonly Route[] = [
  defineEndpoint(`GET ${path}`, {
    id: 'getDomain',
    summary: "A show's own domain, and the DNS records that verify it",
    response: revised(DomainOfShow),
    handle: ({ ctx }, { params: { podcastId } }) => readDomain(ctx, podcastId),
  }),
  defineEndpoint(`PUT ${path}`, {
    id: 'setDomain',
    summary: "Sets a show's own domain and checks its records",
    body: { json: closed({ host: Type.String({ maxLength: 500 }) }) },
    response: revised(DomainOfShow),
    async handle({ ctx }, { params: { podcastId }, body: { host }, request }) {
      await setDomain(ctx, podcastId, host, readExpectation(request));
      return readDomain(ctx, podcastId);
    },
  }),
  defineEndpoint(`DELETE ${path}`, {
    id: 'removeDomain',
    summary: "Removes a show's own domain: its pages and feed are where they were before",
    response: revised(DomainOfShow),
    async handle({ ctx }, { params: { podcastId }, request }) {
      await removeDomain(ctx, podcastId, readExpectation(request));
      return readDomain(ctx, podcastId);
    },
  }),
  defineEndpoint(`POST ${path}/check`, {
    id: 'checkDomain',
    summary: "Checks the records of a show's own domain now",
    response: revised(DomainOfShow),
    async handle({ ctx }, { params: { podcastId } }) {
      await checkDomain(ctx, podcastId);
      return readDomain(ctx, podcastId);
    },
  }),
];

async function readDomain(
  ctx: Context,
  podcastId: string,
): Promise<Static<typeof DomainOfShow> & { readonly revision: number }> {
  const { domain, expected } = await getDomain(ctx, podcastId);
  const found = domain?.found && { isInternal: false, ...domain.found };
  const { revision, redirectFeed } = await readPodcast(ctx, podcastId);
  return wireNames({
    revision,
    redirectFeed,
    expected,
    domain: domain && { ...domain, found, url: ownDomainUrl(ctx.installation, domain.host) },
  }) as Static<typeof DomainOfShow>;
}
