import type { Command } from './command.ts';
import { config } from './config.ts';
import { demo } from './demo.ts';
import { episodeAdd } from './episode-add.ts';
import { episodeArchive } from './episode-archive.ts';
import { episodeDelete } from './episode-delete.ts';
import { episodePublish } from './episode-publish.ts';
import { episodeSet } from './episode-set.ts';
import { episodeUnpublish } from './episode-unpublish.ts';
import { importCommand } from './import.ts';
import { keyCreate } from './key-create.ts';
import { keyList } from './key-list.ts';
import { keyRevoke } from './key-revoke.ts';
import { migrate } from './migrate.ts';
import { openapi } from './openapi.ts';
import { planSet } from './plan-set.ts';
import { podcastResume } from './podcast-resume.ts';
import { podcastSuspend } from './podcast-suspend.ts';
import { seed } from './seed.ts';
import { serve } from './serve.ts';
import { userCreate } from './user-create.ts';
import { worker } from './worker.ts';

/** Every command, in the order in which they are listed. */
export const commands: readonly Command[] = [
  serve,
  worker,
  migrate,
  seed,
  importCommand,
  userCreate,
  planSet,
  keyCreate,
  keyList,
  keyRevoke,
  podcastSuspend,
  podcastResume,
  episodeAdd,
  episodeSet,
  episodePublish,
  episodeUnpublish,
  episodeArchive,
  episodeDelete,
  config,
  demo,
  openapi,
];
