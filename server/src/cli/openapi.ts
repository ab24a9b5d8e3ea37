import { writeApiDescription } from '../processes.ts';
import type { RunAsProcess } from './command.ts';
import type { PrintOpenapi } from './process-commands.ts';

export const run: RunAsProcess<PrintOpenapi> = async (_args, io) => {
  io.stdout.write(writeApiDescription());
};
