import { useLiveShow } from '../api/live.ts';

/** Keeps the screens of a show up to date while one of them is open. */
export function LiveShow({ podcastId }: { readonly podcastId: string }) {
  useLiveShow(podcastId);
  return null;
}
