import type { Route } from '../../../route.ts';
import { changeShowsPage } from './change-shows.ts';
import { disconnectSitePage } from './disconnect-site.ts';
import { sitesPage } from './list-sites.ts';
import { newSiteKeyPage } from './new-site-key.ts';
import { sitePage } from './site-page.ts';

export const sitePages: readonly Route[] = [
  sitesPage,
  ...newSiteKeyPage,
  sitePage,
  ...changeShowsPage,
  ...disconnectSitePage,
];
