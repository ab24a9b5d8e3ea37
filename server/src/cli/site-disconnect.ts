import { endConnection } from '../domain/sites/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import { readSiteId } from './option-values.ts';
import { presentSite } from './present.ts';
import type { SiteDisconnect } from './site-commands.ts';

export const run: RunOnApp<SiteDisconnect> = async ({ ctx }, { id }, io) => {
  printJson(io, presentSite(await endConnection(ctx, readSiteId(id))));
};
