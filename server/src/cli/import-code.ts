import { sendFeedCode } from '../domain/imports/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson, printLine } from './command-io.ts';
import type { ImportCode } from './import-commands.ts';

export const run: RunOnApp<ImportCode> = async (app, { url, owner }, io) => {
  const { id, sentTo, expiresAt } = await sendFeedCode(app.ctx, { url, owner: { email: owner } });
  printLine(io, `A code was sent to ${sentTo}. Next: import confirm ${id} CODE`);
  printJson(io, { id, sent_to: sentTo, expires_at: expiresAt });
};
