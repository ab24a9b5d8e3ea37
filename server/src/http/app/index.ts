import type { Route } from '../route.ts';
import { appApi } from './api/index.ts';
import { appPages } from './pages/index.ts';

/** The private API of the app, and the account pages, which work without it. */
export const appRoutes: readonly Route[] = [...appApi, ...appPages];
