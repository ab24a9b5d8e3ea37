import { listRoutes } from '../processes.ts';
import type { RunAsProcess } from './command.ts';
import type { PrintRoutes } from './process-commands.ts';

export const run: RunAsProcess<PrintRoutes> = async (_args, io) => {
  io.stdout.write(listRoutes());
};
