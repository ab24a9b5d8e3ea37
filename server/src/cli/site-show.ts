import { getSite } from '../domain/sites/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import { readSiteId } from './option-values.ts';
import { presentSite } from './present.ts';
import type { SiteShow } from './site-commands.ts';

export const run: RunOnApp<SiteShow> = async ({ ctx }, { id }, io) => {
  printJson(io, presentSite(await getSite(ctx, readSiteId(id))));
};
