import { recount } from '../domain/downloads/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import type { DownloadsRecount } from './download-commands.ts';
import { readDay } from './option-values.ts';

export const run: RunOnApp<DownloadsRecount> = async (app, options, io) => {
  const from = readDay('--from', options.from);
  const to = readDay('--to', options.to);
  const { before, after, skipped } = await recount(app.ctx, { from, to });
  printJson(io, { from, to, before, after, skipped });
};
