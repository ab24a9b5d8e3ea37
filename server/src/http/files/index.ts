import type { Route } from '../route.ts';
import { feedRoute } from './feed-route.ts';
import { hubRoute } from './hub-route.ts';
import { imageRoute, imageVariantRoute } from './image-routes.ts';
import { directMediaRoute, markedMediaRoute } from './media-routes.ts';
import { chaptersRoute, transcriptRoute, waveformRoute } from './text-files.ts';

export { respondWithFeed } from './feed-route.ts';
export { MediaFastPath } from './media-fast-path.ts';

/** Files of one show. */
export const ownFileRoutes = {
  ofEpisodes: [directMediaRoute, markedMediaRoute, transcriptRoute, chaptersRoute, waveformRoute],
  ofImages: [imageRoute, imageVariantRoute],
};

/** Feeds and their hub, audio, images, transcripts and chapters. */
export const fileRoutes: readonly Route[] = [
  feedRoute,
  hubRoute,
  ...ownFileRoutes.ofEpisodes,
  ...ownFileRoutes.ofImages,
];
