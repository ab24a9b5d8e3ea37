import { createRootRoute, createRoute } from '@tanstack/react-router';
import { Frame } from './shell/frame.tsx';
import { UnknownAddress } from './shell/unknown-address.tsx';

/** What the addresses of all screens begin with. */

export const root = createRootRoute({ component: Frame, notFoundComponent: UnknownAddress });

export const show = createRoute({ getParentRoute: () => root, path: '/shows/$podcastId' });
