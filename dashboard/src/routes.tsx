import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { root, show } from './parent-routes.tsx';
import { Home } from './screens/home/home.tsx';
import { readStatisticsSearch } from './screens/statistics/search.ts';
import { ScreenError } from './shell/screen-error.tsx';
import { ScreenLoading } from './shell/screen-loading.tsx';
import { showSettings } from './show-routes.tsx';

/** Every screen by its address. A screen's code is loaded when it is opened, except that of home. */

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  // Most people see it first: it comes with the frame.
  component: Home,
});

const newShow = createRoute({
  getParentRoute: () => root,
  path: '/new',
  component: lazyRouteComponent(() => import('./screens/new-show/new-show.tsx'), 'NewShow'),
});

export interface EpisodeFilters {
  readonly q?: string | undefined;
  readonly status?: string | undefined;
  readonly sort?: string | undefined;
}
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

const episodes = createRoute({
  getParentRoute: () => show,
  path: 'episodes',
  validateSearch: (search): EpisodeFilters => ({
    q: text(search['q']),
    status: text(search['status']),
    sort: text(search['sort']),
  }),
  component: lazyRouteComponent(() => import('./screens/episodes/episodes.tsx'), 'Episodes'),
});

const episode = createRoute({
  getParentRoute: () => show,
  path: 'episodes/$episodeId',
  component: lazyRouteComponent(() => import('./screens/episode/episode.tsx'), 'Episode'),
});
const advancedEpisode = createRoute({
  getParentRoute: () => show,
  path: 'episodes/$episodeId/advanced',
  component: lazyRouteComponent(() => import('./screens/episode/advanced.tsx'), 'AdvancedEpisode'),
});
const statistics = createRoute({
  getParentRoute: () => show,
  path: 'statistics',
  validateSearch: readStatisticsSearch,
  component: lazyRouteComponent(() => import('./screens/statistics/statistics.tsx'), 'Statistics'),
});
const episodeStatistics = createRoute({
  getParentRoute: () => show,
  path: 'statistics/episodes/$episodeId',
  validateSearch: readStatisticsSearch,
  component: lazyRouteComponent(
    () => import('./screens/statistics/episode-statistics.tsx'),
    'EpisodeStatistics',
  ),
});
const platforms = createRoute({
  getParentRoute: () => show,
  path: 'statistics/platforms',
  component: lazyRouteComponent(() => import('./screens/statistics/platforms.tsx'), 'Platforms'),
});

const team = createRoute({
  getParentRoute: () => show,
  path: 'team',
  component: lazyRouteComponent(() => import('./screens/team/team.tsx'), 'Team'),
});
const imports = createRoute({
  getParentRoute: () => root,
  path: '/imports',
  component: lazyRouteComponent(() => import('./screens/imports/imports.tsx'), 'Imports'),
});
interface ImportWishes {
  readonly url?: string | undefined;
  /** The slug of a show that is there. */
  readonly into?: string | undefined;
}
const newImport = createRoute({
  getParentRoute: () => root,
  path: '/imports/new',
  validateSearch: (search): ImportWishes => ({
    url: text(search['url']),
    into: text(search['into']),
  }),
  component: lazyRouteComponent(() => import('./screens/imports/new-import.tsx'), 'NewImport'),
});
const oneImport = createRoute({
  getParentRoute: () => root,
  path: '/imports/$importId',
  component: lazyRouteComponent(() => import('./screens/imports/one-import.tsx'), 'OneImport'),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(
    () => import('./screens/settings/settings-layout.tsx'),
    'SettingsLayout',
  ),
});
const profile = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyRouteComponent(() => import('./screens/settings/profile/profile.tsx'), 'Profile'),
});
/** The address in older emails. */
const email = createRoute({
  getParentRoute: () => settings,
  path: 'email',
  beforeLoad: () => {
    throw redirect({ to: '/settings' });
  },
});
const password = createRoute({
  getParentRoute: () => settings,
  path: 'password',
  component: lazyRouteComponent(() => import('./screens/settings/password.tsx'), 'Password'),
});
const sessions = createRoute({
  getParentRoute: () => settings,
  path: 'sessions',
  component: lazyRouteComponent(() => import('./screens/settings/sessions.tsx'), 'Sessions'),
});
const emails = createRoute({
  getParentRoute: () => settings,
  path: 'emails',
  component: lazyRouteComponent(() => import('./screens/settings/emails.tsx'), 'Emails'),
});
const plan = createRoute({
  getParentRoute: () => settings,
  path: 'plan',
  component: lazyRouteComponent(() => import('./screens/settings/plan.tsx'), 'Plan'),
});
const terms = createRoute({
  getParentRoute: () => settings,
  path: 'terms',
  component: lazyRouteComponent(() => import('./screens/settings/terms.tsx'), 'Terms'),
});
const deletion = createRoute({
  getParentRoute: () => settings,
  path: 'deletion',
  component: lazyRouteComponent(() => import('./screens/settings/deletion.tsx'), 'Deletion'),
});

const keys = createRoute({
  getParentRoute: () => settings,
  path: 'keys',
  component: lazyRouteComponent(() => import('./screens/settings/keys/keys.tsx'), 'Keys'),
});
const newKey = createRoute({
  getParentRoute: () => settings,
  path: 'keys/new',
  component: lazyRouteComponent(() => import('./screens/settings/keys/new-key.tsx'), 'NewKey'),
});
const rollKey = createRoute({
  getParentRoute: () => settings,
  path: 'keys/$keyId/roll',
  component: lazyRouteComponent(() => import('./screens/settings/keys/roll-key.tsx'), 'RollKey'),
});
const widenKey = createRoute({
  getParentRoute: () => settings,
  path: 'keys/$keyId/widen',
  component: lazyRouteComponent(() => import('./screens/settings/keys/widen-key.tsx'), 'WidenKey'),
});

const sites = createRoute({
  getParentRoute: () => settings,
  path: 'sites',
  component: lazyRouteComponent(() => import('./screens/settings/sites/sites.tsx'), 'Sites'),
});
const newSiteKey = createRoute({
  getParentRoute: () => settings,
  path: 'sites/new-key',
  component: lazyRouteComponent(
    () => import('./screens/settings/sites/new-site-key.tsx'),
    'NewSiteKey',
  ),
});
const site = createRoute({
  getParentRoute: () => settings,
  path: 'sites/$siteId',
  component: lazyRouteComponent(() => import('./screens/settings/sites/one-site.tsx'), 'OneSite'),
});
const siteShows = createRoute({
  getParentRoute: () => settings,
  path: 'sites/$siteId/shows',
  component: lazyRouteComponent(
    () => import('./screens/settings/sites/change-shows.tsx'),
    'ChangeSiteShows',
  ),
});

const routeTree = root.addChildren([
  home,
  newShow,
  imports,
  newImport,
  oneImport,
  show.addChildren([
    episodes,
    episode,
    advancedEpisode,
    statistics,
    episodeStatistics,
    platforms,
    team,
    showSettings,
  ]),
  settings.addChildren([
    profile,
    email,
    password,
    sessions,
    emails,
    plan,
    terms,
    deletion,
    keys,
    newKey,
    rollKey,
    widenKey,
    sites,
    newSiteKey,
    site,
    siteShows,
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: '/app',
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenError,
  defaultPendingComponent: ScreenLoading,
  defaultPendingMs: 300,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
