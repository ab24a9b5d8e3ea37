import { feedUrl, imageUrl, listenUrl } from '../domain/foundation/addresses.ts';
import type { Context } from '../domain/foundation/context.ts';
import { findImage } from '../domain/publishing/images/index.ts';
import { listPeople } from '../domain/publishing/people/index.ts';
import {
  listMembers,
  listPreviousSlugs,
  type Podcast,
  readElements,
} from '../domain/publishing/podcasts/index.ts';
import { wireNames } from '../lib/wire-names.ts';
import { printJson } from './command-io.ts';
import { getPodcastByRef } from './option-values.ts';
import type { PodcastRuns } from './podcast-commands.ts';

/** A podcast with all fields of `podcast set`, under the names of seed files. */
export async function describePodcast(
  ctx: Context,
  podcast: Podcast,
): Promise<Record<string, unknown>> {
  const members = await listMembers(ctx, podcast.id);
  const people = await listPeople(ctx, podcast.id);
  return {
    id: podcast.id,
    guid: podcast.guid,
    owner: members.find(({ role }) => role === 'owner')?.email ?? null,
    ...presentFields(podcast),
    previous_slugs: await listPreviousSlugs(ctx, podcast),
    status: podcast.status,
    created_at: podcast.createdAt,
    artwork: await describeImage(ctx, podcast.artworkId),
    header_image: await describeImage(ctx, podcast.headerImageId),
    people: people.map(({ id, name, role, group, bio, linkUrl, roster }) => {
      return { id, name, role, group, bio, link_url: linkUrl, roster };
    }),
    members: members.map(({ email, role, roleName }) => ({ email, role, role_name: roleName })),
    links: {
      listen: listenUrl(ctx.installation, podcast),
      feed: feedUrl(ctx.installation, podcast),
    },
  };
}

/** Under the names of seed files, without elements that are only passed through from a feed. */
function presentFields(podcast: Podcast): Record<string, unknown> {
  const { id, accountId, guid, domain, status, createdAt, extraElements, ...others } = podcast;
  const { artworkId, headerImageId, ...fields } = others;
  return wireNames({ ...fields, ...readElements('show', extraElements) });
}

export async function describeImage(ctx: Context, imageId: string | null) {
  const image = imageId === null ? undefined : await findImage(ctx, imageId);
  if (image === undefined) return null;
  return { url: imageUrl(ctx.installation, image), width: image.width, height: image.height };
}

export const show: PodcastRuns['show'] = async ({ ctx }, { podcast }, io) => {
  printJson(io, await describePodcast(ctx, await getPodcastByRef(ctx, podcast)));
};
