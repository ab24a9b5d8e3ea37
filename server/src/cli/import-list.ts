import { listImports } from '../domain/imports/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import type { ImportList } from './import-commands.ts';
import { presentImport } from './present.ts';

const most = 100;

export const run: RunOnApp<ImportList> = async (app, _args, io) => {
  const { items } = await listImports(app.ctx, { limit: most });
  printJson(io, { imports: items.map(presentImport) });
};
