import { queryClient } from '../api/query-client.ts';
import { removeUpload } from '../api/uploads.ts';
import { browserClock } from '../editor/clock.ts';
import { askToSignIn, whenSignedIn } from '../shell/sign-in-state.ts';
import { claimItems } from './claim-items.ts';
import { fingerprintOf } from './fingerprint.ts';
import { finishUpload } from './finish-upload.ts';
import { hashFile } from './hash-file.ts';
import { createItemStore } from './item-store.ts';
import { sendFile } from './send-file.ts';
import { idOfUrl, type UploadItem } from './upload-item.ts';
import { UploadQueue } from './upload-queue.ts';

const opened = new Map<string, Promise<UploadQueue>>();

/** The only queue of this page and person. It continues on every screen. */
export function openUploads(userId: string): Promise<UploadQueue> {
  const queue = opened.get(userId) ?? open(userId);
  opened.set(userId, queue);
  return queue;
}

async function open(userId: string): Promise<UploadQueue> {
  const queue = new UploadQueue({
    userId,
    store: await claimItems(createItemStore(localStorage, userId)),
    clock: browserClock,
    fingerprint: fingerprintOf,
    hash: hashFile,
    send: sendFile,
    finish: finishUpload,
    remove: (url) => removeUpload(idOfUrl(url)),
    async whenSignedIn() {
      askToSignIn();
      await whenSignedIn();
    },
    onReady: showResult,
  });
  window.addEventListener('online', queue.wakeAll);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') queue.wakeAll();
  });
  window.addEventListener('beforeunload', (event) => {
    if (queue.isBusy()) event.preventDefault();
  });
  return queue;
}

function showResult({ target: { episodeId, podcastId } }: UploadItem): void {
  const changed =
    episodeId === null ? [['show', podcastId], ['home']] : [['episode', episodeId], ['episodes']];
  for (const queryKey of changed) void queryClient.invalidateQueries({ queryKey });
}
