import type { Route } from '../route.ts';
import { feedRoute } from './feed-route.ts';
import { imageRoute, imageVariantRoute } from './image-routes.ts';
import { directMediaRoute, markedMediaRoute } from './media-routes.ts';
import { chaptersRoute, transcriptRoute, waveformRoute } from './text-files.ts';

export { MediaFastPath } from './media-fast-path.ts';

/** Feeds, audio, images, transcripts and chapters. */
export const fileRoutes: readonly Route[] = [
  feedRoute,
  directMediaRoute,
  markedMediaRoute,
  imageRoute,
  imageVariantRoute,
  transcriptRoute,
  chaptersRoute,
  waveformRoute,
];
