import { confirmFeedCode } from '../domain/imports/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import type { ImportConfirm } from './import-commands.ts';
import { readImportId } from './import-id.ts';

export const run: RunOnApp<ImportConfirm> = async (app, { id, code }, io) => {
  await confirmFeedCode(app.ctx, { id: readImportId(id), code: code.join(' ') });
  printJson(io, { id, confirmed: true });
};
