import {
  createUnregisteredSiteKey,
  endConnection,
  getSite,
  type ListedSite,
  listSites,
  type SitePosition,
} from '../domain/exchange/sites/index.ts';
import { getUserByEmail } from '../domain/foundation/accounts/index.ts';
import { printJson } from './command-io.ts';
import { getPodcastByRef, readSiteId } from './option-values.ts';
import { printedSite } from './present.ts';
import { printList } from './print-list.ts';
import type { SiteRuns } from './site-commands.ts';

export const list: SiteRuns['list'] = async ({ ctx }, { user }, io) => {
  const userId = user === undefined ? undefined : (await getUserByEmail(ctx, user)).id;
  await printList<ListedSite, SitePosition>(
    io,
    'sites',
    (query) => listSites(ctx, { ...query, userId }),
    printedSite,
  );
};

export const show: SiteRuns['show'] = async ({ ctx }, { id }, io) => {
  printJson(io, printedSite(await getSite(ctx, readSiteId(id))));
};

export const disconnect: SiteRuns['disconnect'] = async ({ ctx }, { id }, io) => {
  printJson(io, printedSite(await endConnection(ctx, readSiteId(id))));
};

export const createKey: SiteRuns['createKey'] = async (
  { ctx },
  { email, podcast, podcasts, transcripts },
  io,
) => {
  const user = await getUserByEmail(ctx, email);
  const named = [...podcast, ...podcasts].map((ref) => getPodcastByRef(ctx, ref));
  const key = await createUnregisteredSiteKey(ctx, {
    userId: user.id,
    podcastIds: (await Promise.all(named)).map(({ id }) => id),
    transcripts,
  });
  printJson(io, { key_id: key.id, secret: key.secret, expires_at: key.expiresAt });
};
