import type { Command } from './command.ts';
import { config } from './config.ts';
import { migrate } from './migrate.ts';
import { planSet } from './plan-set.ts';
import { podcastResume } from './podcast-resume.ts';
import { podcastSuspend } from './podcast-suspend.ts';
import { seed } from './seed.ts';
import { serve } from './serve.ts';

import { userCreate } from './user-create.ts';

/** Every command, in the order in which they are listed. */
export const commands: readonly Command[] = [
  serve,
  migrate,
  seed,
  userCreate,
  planSet,
  podcastSuspend,
  podcastResume,
  config,
];
