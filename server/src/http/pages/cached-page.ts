import type { Show } from '../../domain/catalogue/index.ts';
import { cachedPayload } from '../cached.ts';
import type { Answer } from '../route.ts';
import type { Web } from '../web.ts';
import { createPagePayload, type Page } from './page.ts';

/** A page about `show` under `key`, drawn once until the show changes. */
export function cachedPage(
  web: Web,
  show: Show,
  key: string,
  draw: () => Promise<Page>,
): Promise<Answer> {
  return cachedPayload(web, show, key, async () => createPagePayload(await draw()));
}
