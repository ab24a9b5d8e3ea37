import type { PublicPodcast } from '../../domain/public/catalogue/index.ts';
import { cachedPayload } from '../cache/cached.ts';
import type { HttpContext } from '../http-context.ts';
import type { Build } from '../limits/large-builds.ts';
import type { Waiters } from '../limits/waiters.ts';
import { divideHeaders } from '../responses/training-headers.ts';
import type { RouteResponse } from '../route.ts';
import { createPagePayload, type Page, pageType } from './page.ts';

/**
 * A page about `show` under `key`, rendered once until the show changes or `validUntil`. What makes it large waits
 * for a turn of its build, unless all clients have left: `leaving` aborts when this one does.
 */
export function cachedPage(
  http: HttpContext,
  show: PublicPodcast,
  key: string,
  draw: (build: Build) => Promise<Page>,
  options: { readonly leaving?: AbortSignal; readonly validUntil?: Date | null } = {},
): Promise<RouteResponse> {
  const compute = async (waiters: Waiters) => {
    using build = http.largeBuilds.begin(show.id, waiters);
    return await createPagePayload(await draw(build), show);
  };
  return cachedPayload(http, show, key, compute, options);
}

/** A page about `show` of which there are too many forms to keep: not cached. */
export function pageOnce(show: PublicPodcast, { text, headers }: Page): RouteResponse {
  const { extra, lasting } = divideHeaders(headers, show);
  return { kind: 'text', contentType: pageType, text, headers: extra, lasting };
}
