import type { Key } from '../domain/access/keys/index.ts';
import type { ImportReport, ListedImport } from '../domain/exchange/imports/index.ts';
import type { ListedSite } from '../domain/exchange/sites/index.ts';
import type { Episode } from '../domain/publishing/episodes/index.ts';
import { readElements } from '../domain/publishing/podcasts/index.ts';
import { episodeFields } from '../lib/fields/episode-fields.ts';
import { seedNameOf } from '../lib/fields/field.ts';
import { wireNames } from '../lib/wire-names.ts';

/** The output of commands, under the names of seed files and the API. */

/** The fields of a seed file, and the episode's ids. */
export function printedEpisode(episode: Episode): Record<string, unknown> {
  const { id, podcastId, guid, status, publishedAt, scheduledFor, createdAt } = episode;
  const values = new Map<string, unknown>(Object.entries(episode));
  return {
    ...wireNames({ id, podcastId, guid }),
    ...Object.fromEntries(
      Object.entries(episodeFields).map(([name, field]) => [
        seedNameOf(name, field),
        values.get(name),
      ]),
    ),
    ...wireNames(readElements('episode', episode.extraElements)),
    ...{ status, published_at: publishedAt, scheduled_for: scheduledFor, created_at: createdAt },
  };
}

/** Without its secret, which is not stored. */
export function printedKey({ userId, kind, ...key }: Key) {
  return wireNames(key);
}

/** As in the private API, with the user's email address. */
export function printedSite({ userId: _, keyId: __, userEmail: user, ...site }: ListedSite) {
  const { id, siteUrl, ...rest } = site;
  return wireNames({ id, user, siteUrl, ...rest });
}

export function presentReport(report: ImportReport): unknown {
  return wireNames(report);
}

/** Contains no secrets of the source. Includes the report if there is one. */
export function printedImport(found: ListedImport & { report?: ImportReport | null }): unknown {
  const {
    ownerId: _,
    ownerEmail: owner,
    sourceUrl,
    podcastId,
    podcastSlug,
    podcastTitle: __,
    ...rest
  } = found;
  const url = URL.parse(sourceUrl ?? '');
  const podcast = podcastId === null ? null : { id: podcastId, slug: podcastSlug };
  const { id, state, ...more } = rest;
  return wireNames({
    ...{ id, state, owner, podcast },
    source: url === null ? null : `${url.origin}${url.pathname}`,
    ...more,
  });
}
