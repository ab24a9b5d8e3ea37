import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { hasReason } from '../api/errors.ts';
import { meQuery } from '../api/me.ts';
import { queryClient } from '../api/query-client.ts';
import { proposeReplacement } from '../api/recording.ts';
import {
  removeUpload,
  type SentFile,
  setAudio,
  setChaptersFile,
  setEpisodeArtwork,
  setHeaderImage,
  setPersonPhoto,
  setPodcastArtwork,
  setTranscriptFile,
} from '../api/uploads.ts';
import { browserClock } from '../editor/clock.ts';
import { askToSignIn, whenSignedIn } from '../shell/sign-in-state.ts';
import { createItemStore, type ItemStore } from './item-store.ts';
import { sendFile } from './send-file.ts';
import { Sha256 } from './sha256.ts';
import {
  idOfUrl,
  isSameTarget,
  type UploadItem,
  type UploadResult,
  type UploadTarget,
} from './upload-item.ts';
import { UploadQueue } from './upload-queue.ts';

interface OwnUploads {
  readonly queue: UploadQueue | undefined;
  readonly own: readonly UploadItem[];
  /** An upload is running; a second file must wait until it is done or cancelled. */
  readonly isBusy: boolean;
  /** Sends a file; finished and failed uploads before it are removed from the list. */
  readonly add: (file: File | undefined) => void;
}

/** The uploads for one purpose. */
export function useOwnUploads(target: UploadTarget): OwnUploads {
  const { queue, items } = useUploads();
  const own = items.filter((item) => isSameTarget(item.target, target));
  const add = (file: File | undefined) => {
    if (file === undefined || queue === undefined) return;
    for (const { id, state } of own) if (isOver(state)) queue.dismiss(id);
    void queue.add(file, target);
  };
  return { queue, own, isBusy: own.some(({ state }) => !isOver(state)), add };
}

const isOver = ({ kind }: UploadItem['state']) => kind === 'ready' || kind === 'failed';

interface Uploads {
  /** Undefined for a moment, until it is known who is signed in. */
  readonly queue: UploadQueue | undefined;
  readonly items: readonly UploadItem[];
}

const none: readonly UploadItem[] = [];
const noItems = () => none;
const noSubscription = () => () => {};

/** All uploads of the person, as they change. */
function useUploads(): Uploads {
  const { data: me } = useQuery(meQuery);
  const userId = me?.user.id;
  const [queue, setQueue] = useState<UploadQueue>();
  useEffect(() => {
    if (userId !== undefined) void openUploads(userId).then(setQueue);
  }, [userId]);
  const items = useSyncExternalStore(queue?.subscribe ?? noSubscription, queue?.list ?? noItems);
  return { queue, items };
}

const opened = new Map<string, Promise<UploadQueue>>();

/** The only queue of this page and person. It continues on every screen. */
function openUploads(userId: string): Promise<UploadQueue> {
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

const lockOf = (id: string) => `podstead-upload-${id}`;

/**
 * The store without the uploads of other tabs of this browser. Uploads that this tab adds belong to
 * it until it is closed. Browsers without locks (they need https or localhost) share everything;
 * the server lets only one tab write.
 */
async function claimItems(store: ItemStore): Promise<ItemStore> {
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined) return store;
  const held = new Set((await locks.query()).held?.map(({ name }) => name));
  const releases = new Map<string, () => void>();
  const claim = (id: string) => {
    if (releases.has(id)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    releases.set(id, resolve);
    void locks.request(lockOf(id), () => promise);
  };
  return {
    list: () => store.list().filter(({ id }) => !held.has(lockOf(id))),
    put(upload) {
      claim(upload.id);
      store.put(upload);
    },
    remove(id) {
      store.remove(id);
      releases.get(id)?.();
      releases.delete(id);
    },
  };
}

const edgeBytes = 1024 * 1024;

/**
 * Identifies a file that is chosen again: by its name, size and time, and its first and last
 * megabyte.
 */
async function fingerprintOf(file: File): Promise<string> {
  const hash = new Sha256();
  const facts = JSON.stringify([file.name, file.size, file.lastModified]);
  hash.update(new TextEncoder().encode(facts));
  const edges = [file.slice(0, edgeBytes), file.slice(Math.max(0, file.size - edgeBytes))];
  for (const edge of edges) hash.update(new Uint8Array(await edge.arrayBuffer()));
  return hash.digest();
}

/**
 * Uses an uploaded file for its purpose. The server compares the checksum first, so a file that was
 * damaged on its way is never used.
 */
async function finishUpload(
  url: string,
  target: UploadTarget,
  sha256: string,
): Promise<UploadResult> {
  const uploadId = idOfUrl(url);
  try {
    const sent = { upload_id: uploadId, sha256 };
    if (target.episodeId !== null && target.isReplacement === true) {
      await proposeReplacement(target.episodeId, sent);
      return { revision: undefined, uploadId };
    }
    const { revision, left_out: leftOut } = await put(target, sent);
    return { revision, uploadId, leftOut };
  } catch (error) {
    // The response to an earlier request was lost.
    if (hasReason(error, 'used')) return { revision: undefined, uploadId };
    throw error;
  }
}

interface Used {
  readonly revision: number;
  readonly left_out?: UploadResult['leftOut'];
}

function put(target: UploadTarget, sent: SentFile): Promise<Used> {
  if (target.episodeId === null) {
    const { podcastId, personId, isHeader } = target;
    if (isHeader === true) return setHeaderImage(podcastId, sent);
    if (personId === undefined) return setPodcastArtwork(podcastId, sent);
    return setPersonPhoto(podcastId, personId, sent);
  }
  const { episodeId, purpose, language } = target;
  switch (purpose) {
    case 'audio':
      return setAudio(episodeId, sent);
    case 'image':
      return setEpisodeArtwork(episodeId, sent);
    case 'transcript':
      return setTranscriptFile(episodeId, { ...sent, ...(language !== undefined && { language }) });
    case 'chapters':
      return setChaptersFile(episodeId, sent);
  }
}

/**
 * The SHA-256 of a whole file in lower-case hex, computed in a worker so that the page does not
 * block.
 */
function hashFile(file: Blob, signal: AbortSignal): Promise<string> {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<string>((resolve, reject) => {
    worker.addEventListener('message', ({ data }) => resolve(data));
    worker.addEventListener('error', () => reject(new Error('the file could not be read')));
    signal.addEventListener('abort', () => reject(signal.reason));
    worker.postMessage(file);
  }).finally(() => worker.terminate());
}
