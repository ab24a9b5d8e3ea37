import { getUserByEmail } from '../domain/accounts/index.ts';
import { type ListedSite, listSites, type SitePosition } from '../domain/sites/index.ts';
import type { RunOnApp } from './command.ts';
import { presentSite } from './present.ts';
import { printList } from './print-list.ts';
import type { SiteList } from './site-commands.ts';

export const run: RunOnApp<SiteList> = async ({ ctx }, { user }, io) => {
  const userId = user === undefined ? undefined : (await getUserByEmail(ctx, user)).id;
  await printList<ListedSite, SitePosition>(
    io,
    'sites',
    (query) => listSites(ctx, { ...query, userId }),
    presentSite,
  );
};
