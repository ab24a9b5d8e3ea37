import { createRootRoute, createRoute } from '@tanstack/react-router';
import { Frame } from './shell/frame.tsx';
import { NotFound } from './shell/not-found.tsx';

/** What the addresses of all screens begin with. */

export const root = createRootRoute({ component: Frame, notFoundComponent: NotFound });

export const show = createRoute({ getParentRoute: () => root, path: '/shows/$podcastId' });
