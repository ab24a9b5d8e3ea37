import { cancelImport } from '../domain/imports/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import type { ImportCancel } from './import-commands.ts';
import { readImportId } from './import-id.ts';
import { presentImport } from './present.ts';

export const run: RunOnApp<ImportCancel> = async (app, { id }, io) => {
  printJson(io, presentImport(await cancelImport(app.ctx, readImportId(id))));
};
