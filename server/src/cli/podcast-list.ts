import { getUserByEmail } from '../domain/foundation/accounts/index.ts';
import {
  type ListedPodcast,
  listPodcasts,
  type PodcastPosition,
} from '../domain/publishing/podcasts/index.ts';
import type { PodcastRuns } from './podcast-commands.ts';
import { printList } from './print-list.ts';

export const list: PodcastRuns['list'] = async ({ ctx }, { owner }, io) => {
  const ownerId = owner === undefined ? undefined : (await getUserByEmail(ctx, owner)).id;
  await printList<ListedPodcast, PodcastPosition>(
    io,
    'podcasts',
    (query) => listPodcasts(ctx, { ...query, ownerId }),
    ({ id, slug, title, status, ownerEmail, createdAt }) => {
      return { id, slug, title, status, owner: ownerEmail, created_at: createdAt };
    },
  );
};
