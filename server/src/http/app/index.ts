import type { Route } from '../route.ts';
import { appApi } from './api/index.ts';
import { appPages } from './pages/index.ts';

/** What is behind a session: the private API of the app, and the pages that do without it. */
export const appRoutes: readonly Route[] = [...appApi, ...appPages];
