import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { show } from './parent-routes.tsx';

/** The screens of a show's settings, by their addresses. */

const settings = createRoute({
  getParentRoute: () => show,
  path: 'show',
  component: lazyRouteComponent(() => import('./screens/show/show-layout.tsx'), 'ShowLayout'),
});
const start = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyRouteComponent(() => import('./screens/show/show-start.tsx'), 'ShowStart'),
});
const texts = createRoute({
  getParentRoute: () => settings,
  path: 'texts',
  component: lazyRouteComponent(() => import('./screens/show/texts.tsx'), 'Texts'),
});
const cover = createRoute({
  getParentRoute: () => settings,
  path: 'cover',
  component: lazyRouteComponent(() => import('./screens/show/cover.tsx'), 'Cover'),
});
const listenPage = createRoute({
  getParentRoute: () => settings,
  path: 'page',
  component: lazyRouteComponent(() => import('./screens/show/page/listen-page.tsx'), 'ListenPage'),
});
const people = createRoute({
  getParentRoute: () => settings,
  path: 'people',
  component: lazyRouteComponent(() => import('./screens/show/people.tsx'), 'People'),
});
const directories = createRoute({
  getParentRoute: () => settings,
  path: 'directories',
  component: lazyRouteComponent(() => import('./screens/show/directories.tsx'), 'Directories'),
});
const health = createRoute({
  getParentRoute: () => settings,
  path: 'health',
  component: lazyRouteComponent(() => import('./screens/show/health.tsx'), 'Health'),
});
const advanced = createRoute({
  getParentRoute: () => settings,
  path: 'advanced',
  component: lazyRouteComponent(() => import('./screens/show/advanced.tsx'), 'Advanced'),
});
const address = createRoute({
  getParentRoute: () => settings,
  path: 'address',
  component: lazyRouteComponent(() => import('./screens/show/address.tsx'), 'Address'),
});
const domain = createRoute({
  getParentRoute: () => settings,
  path: 'domain',
  component: lazyRouteComponent(() => import('./screens/show/domain/domain.tsx'), 'Domain'),
});
const moving = createRoute({
  getParentRoute: () => settings,
  path: 'moving',
  component: lazyRouteComponent(() => import('./screens/show/moving.tsx'), 'Moving'),
});
const exports = createRoute({
  getParentRoute: () => settings,
  path: 'exports',
  component: lazyRouteComponent(() => import('./screens/show/exports.tsx'), 'Exports'),
});
const webhooks = createRoute({
  getParentRoute: () => settings,
  path: 'webhooks',
  component: lazyRouteComponent(() => import('./screens/show/webhooks/webhooks.tsx'), 'Webhooks'),
});
const newWebhook = createRoute({
  getParentRoute: () => settings,
  path: 'webhooks/new',
  component: lazyRouteComponent(
    () => import('./screens/show/webhooks/new-webhook.tsx'),
    'NewWebhook',
  ),
});
const webhook = createRoute({
  getParentRoute: () => settings,
  path: 'webhooks/$webhookId',
  component: lazyRouteComponent(
    () => import('./screens/show/webhooks/one-webhook.tsx'),
    'OneWebhook',
  ),
});
const editWebhook = createRoute({
  getParentRoute: () => settings,
  path: 'webhooks/$webhookId/edit',
  component: lazyRouteComponent(
    () => import('./screens/show/webhooks/edit-webhook.tsx'),
    'EditWebhook',
  ),
});
const end = createRoute({
  getParentRoute: () => settings,
  path: 'end',
  component: lazyRouteComponent(() => import('./screens/show/end.tsx'), 'End'),
});

export const showSettings = settings.addChildren([
  start,
  texts,
  cover,
  listenPage,
  people,
  directories,
  health,
  advanced,
  address,
  domain,
  moving,
  exports,
  webhooks,
  newWebhook,
  webhook,
  editWebhook,
  end,
]);
