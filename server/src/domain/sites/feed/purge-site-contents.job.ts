import { defineJob } from '../../job.ts';
import { purgeSiteContents } from './purge-site-contents.ts';

export const purgeSiteContentsJob = defineJob({
  name: 'purge-site-contents',
  timeoutSeconds: 1800,
  run: (ctx, _payload, { signal }) => purgeSiteContents(ctx, signal),
});
