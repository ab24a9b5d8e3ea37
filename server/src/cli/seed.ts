import { resolve } from 'node:path';
import { loadWorld } from '../domain/worlds/index.ts';
import { defineAppCommand } from './command.ts';
import { printJson, printLine } from './command-io.ts';

export const seed = defineAppCommand({
  name: 'seed',
  about: 'Loads a world file: users, podcasts and their episodes, keys.',
  notes: [
    'All of it or nothing: a refused file leaves nothing behind. Paths in it are relative to the',
    'file. Prints what was made, by the refs of the file; the secrets of keys never again.',
  ].join('\n'),
  operands: { file: { about: 'JSON, as the manual describes' } },
  async run(app, { file }, io) {
    const path = resolve(io.cwd, file);
    const { users, podcasts, keys, passedOver } = await loadWorld(app.ctx, {
      path,
      signal: io.signal,
    });
    for (const { list, entries } of passedOver) {
      printLine(io, `${list}: ${entries} passed over; a later version makes them.`);
    }
    printJson(io, { users, podcasts, keys, sites: {} });
  },
});
