import { reopenImport, resumeImport } from '../domain/imports/index.ts';
import type { RunOnApp } from './command.ts';
import { CommandError } from './describe-failure.ts';
import { followImport } from './follow-import.ts';
import type { ImportResume } from './import-commands.ts';
import { readImportId } from './import-id.ts';

export const run: RunOnApp<ImportResume> = async (app, { id }, io) => {
  const importId = readImportId(id);
  await reopenImport(app.ctx, importId, { wake: false });
  await followImport(io, async ({ onBegun, ...follow }) => {
    onBegun?.(importId);
    const report = await resumeImport(app.ctx, importId, follow);
    if (report !== undefined) return report;
    throw new CommandError(`Another process has resumed it: import show ${importId}.`);
  });
};
