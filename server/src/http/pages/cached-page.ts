import type { PublicPodcast } from '../../domain/public/catalogue/index.ts';
import { cachedPayload } from '../cached.ts';
import type { HttpContext } from '../http-context.ts';
import type { Answer } from '../route.ts';
import { createPagePayload, type Page } from './page.ts';

/** A page about `show` under `key`, rendered once until the show changes. */
export function cachedPage(
  http: HttpContext,
  show: PublicPodcast,
  key: string,
  draw: () => Promise<Page>,
): Promise<Answer> {
  return cachedPayload(http, show, key, async () => createPagePayload(await draw()));
}
