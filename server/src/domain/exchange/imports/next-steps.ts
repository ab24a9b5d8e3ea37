import { feedUrl } from '../../foundation/addresses.ts';
import type { Installation } from '../../foundation/context.ts';

/** The steps to take at the old host, in order. */
export function nextStepsFor(
  hosts: Installation,
  slug: string,
  options: { readonly copyAudio: boolean },
): string[] {
  const feed = feedUrl(hosts, slug);
  const audio =
    'The audio is still at the old host. Import the show again with its audio before you close the account there.';
  return [
    ...(options.copyAudio ? [] : [audio]),
    `Redirect the old feed with status 301 to ${feed}.`,
    `If the old host cannot do that, add <itunes:new-feed-url>${feed}</itunes:new-feed-url> to the old feed.`,
    'Keep the redirect and the old account for at least four weeks.',
    `Enter the new URL in directories that do not follow redirects: ${feed}.`,
  ];
}
