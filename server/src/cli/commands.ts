import { backupCommands } from './backup-commands.ts';
import type { Command } from './command.ts';
import { downloadCommands } from './download-commands.ts';
import { episodeCommands } from './episode-commands.ts';
import { exportCommands } from './export-commands.ts';
import { fileCommands } from './file-commands.ts';
import { importCommands } from './import-commands.ts';
import { keyCommands } from './key-commands.ts';
import { platformCommands } from './platform-commands.ts';
import { podcastCommands } from './podcast-commands.ts';
import { servingCommands, toolCommands } from './process-commands.ts';
import { siteCommands } from './site-commands.ts';
import { userCommands } from './user-commands.ts';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  ...servingCommands,
  ...importCommands,
  ...userCommands,
  ...keyCommands,
  ...siteCommands,
  ...podcastCommands,
  ...episodeCommands,
  ...downloadCommands,
  ...platformCommands,
  ...exportCommands,
  ...fileCommands,
  ...backupCommands,
  ...toolCommands,
];
