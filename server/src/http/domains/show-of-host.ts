import type { FastifyRequest } from 'fastify';
import { notFound } from '../../domain/foundation/errors.ts';
import type { PublicPodcast } from '../../domain/public/catalogue/index.ts';
import type { HttpContext } from '../http-context.ts';
import { withPodcast } from '../pages/with-podcast.ts';
import { domainOf } from './route-by-host.ts';

type Readers = Pick<HttpContext, 'podcasts'>;

/**
 * The show that is at the request's host now, or not_found. A domain that has just been lost may still be
 * known to this process, so the show decides.
 */
export async function getShowOfHost(
  { podcasts }: Readers,
  request: FastifyRequest,
): Promise<PublicPodcast> {
  const domain = domainOf(request.raw);
  if (domain === undefined) throw notFound('page');
  const show = await podcasts.find(domain.podcastId);
  if (show.domain !== domain.host) throw notFound('page');
  return show;
}

/** Throws not_found for a path that an own domain doesn't have, on a page of its show. */
export async function refuseAtDomain(http: Readers, request: FastifyRequest): Promise<never> {
  const show = await getShowOfHost(http, request);
  return await withPodcast<never>(http, show, async () => {
    throw notFound('page');
  });
}
