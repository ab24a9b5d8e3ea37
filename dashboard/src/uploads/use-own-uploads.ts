import { isSameTarget, type UploadItem, type UploadTarget } from './upload-item.ts';
import type { UploadQueue } from './upload-queue.ts';
import { useUploads } from './use-uploads.ts';

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
