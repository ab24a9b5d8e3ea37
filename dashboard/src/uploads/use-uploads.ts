import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { meQuery } from '../api/me.ts';
import { openUploads } from './open-uploads.ts';
import type { UploadItem } from './upload-item.ts';
import type { UploadQueue } from './upload-queue.ts';

interface Uploads {
  /** Undefined for a moment, until it is known who is signed in. */
  readonly queue: UploadQueue | undefined;
  readonly items: readonly UploadItem[];
}

const none: readonly UploadItem[] = [];
const noItems = () => none;
const noSubscription = () => () => {};

/** All uploads of the person, as they change. */
export function useUploads(): Uploads {
  const { data: me } = useQuery(meQuery);
  const userId = me?.user.id;
  const [queue, setQueue] = useState<UploadQueue>();
  useEffect(() => {
    if (userId !== undefined) void openUploads(userId).then(setQueue);
  }, [userId]);
  const items = useSyncExternalStore(queue?.subscribe ?? noSubscription, queue?.list ?? noItems);
  return { queue, items };
}
