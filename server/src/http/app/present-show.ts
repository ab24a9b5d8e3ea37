import type { Static } from 'typebox';
import {
  feedUrl,
  latestEmbedUrl,
  listenUrl,
  memberImagePath,
} from '../../domain/foundation/addresses.ts';
import type { Installation } from '../../domain/foundation/context.ts';
import type { Person } from '../../domain/publishing/people/index.ts';
import type { PodcastSettings } from '../../domain/publishing/podcasts/index.ts';
import type { HomeShow } from '../../domain/service/home/index.ts';
import { wireNames } from '../../lib/wire-names.ts';
import { showColor } from '../pages/show-color.ts';
import type * as home from './schemas/home.ts';
import type * as shows from './schemas/shows.ts';

/** From the domain's types to those of the private API, for shows. */

export function presentHomeShow(show: HomeShow): Static<typeof home.HomeShow> {
  const { downloads7d, ...rest } = show;
  return {
    ...wireNames(rest),
    artwork_url: show.artwork && memberImagePath(show.artwork, 320),
    downloads_7d: downloads7d,
  };
}

export function presentShow(
  hosts: Installation,
  { membership, extraElements, artwork, ...show }: PodcastSettings,
): Static<typeof shows.ShowSettings> {
  return {
    ...wireNames(show),
    role: membership.role,
    role_name: membership.roleName,
    own_color: showColor({ ...show, artwork, brandColor: null }),
    extra_element_count: extraElements.length,
    artwork: artwork && { ...wireNames(artwork), url: memberImagePath(artwork) },
    links: {
      listen: listenUrl(hosts, show.slug),
      feed: feedUrl(hosts, show.slug),
      latest_player: latestEmbedUrl(hosts, show.slug),
    },
  };
}

export function presentPerson({ photoId, ...person }: Person): Static<typeof shows.ShowPerson> {
  const photo = photoId === null ? null : { id: photoId, url: memberImagePath({ id: photoId }) };
  return { ...wireNames(person), photo };
}
