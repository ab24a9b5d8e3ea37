import { getImport } from '../domain/imports/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import type { ImportShow } from './import-commands.ts';
import { readImportId } from './import-id.ts';
import { presentImport } from './present.ts';

export const run: RunOnApp<ImportShow> = async (app, { id }, io) => {
  printJson(io, presentImport(await getImport(app.ctx, readImportId(id))));
};
