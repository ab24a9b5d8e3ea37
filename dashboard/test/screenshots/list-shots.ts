import type { Page } from 'playwright-core';

/** A picture to take: the screen at a path below `/app`, or at a whole address. */
export interface Shot {
  readonly path: string;
  readonly about: string;
  /** Opens what the picture shows, on the screen. */
  readonly open?: (page: Page) => Promise<void>;
}

const openDialog = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name, exact: true }).first().click();
  await page.getByRole('dialog').waitFor();
};

/** Every screen, by the name of its pictures. `page` is signed in as the owner of the demo's show. */
export async function listShots(page: Page, service: string): Promise<Record<string, Shot>> {
  const { show, episode, draft, previewUrl, imported } = await prepare(page, service);
  const settings = `${show}/show`;
  return {
    home: { path: '', about: 'Home' },
    palette: {
      path: '',
      about: 'The command palette',
      async open(opened) {
        await opened.keyboard.press('Control+k');
        await opened.getByRole('dialog').waitFor();
      },
    },
    'new-show': { path: '/new', about: 'A new show' },
    import: { path: imported, about: 'The report of an import' },
    'new-import': { path: '/imports/new', about: 'A new import' },
    imports: { path: '/imports', about: 'Imports' },
    episodes: { path: `${show}/episodes`, about: 'Episodes' },
    episode: { path: episode, about: 'An episode' },
    draft: { path: draft, about: 'A draft' },
    schedule: {
      path: draft,
      about: 'Choosing when it is published',
      open: openDialog('Schedule…'),
    },
    preview: { path: previewUrl, about: 'The private preview of a draft' },
    statistics: { path: `${show}/statistics`, about: 'Statistics of a show' },
    'episode-statistics': {
      path: episode.replace('/episodes/', '/statistics/episodes/'),
      about: 'Statistics of an episode',
    },
    explanation: {
      path: episode.replace('/episodes/', '/statistics/episodes/'),
      about: 'What became of the requests for an episode',
      async open(opened) {
        await opened.getByRole('button', { name: 'Show how requests were counted' }).click();
        const table = opened.getByRole('region', { name: 'Why this number?' }).getByRole('table');
        await table.scrollIntoViewIfNeeded();
      },
    },
    platforms: { path: `${show}/statistics/platforms`, about: 'Figures of other platforms' },
    team: { path: `${show}/team`, about: 'Team' },
    invitation: {
      path: `${show}/team`,
      about: 'Inviting somebody',
      open: openDialog('Invite someone'),
    },
    'show-texts': { path: `${settings}/texts`, about: 'A show: its texts' },
    'show-cover': { path: `${settings}/cover`, about: 'A show: its cover' },
    'show-people': { path: `${settings}/people`, about: 'A show: its people' },
    'show-directories': { path: `${settings}/directories`, about: 'A show: directories' },
    'show-health': { path: `${settings}/health`, about: 'A show: health of the feed' },
    'show-address': { path: `${settings}/address`, about: 'A show: its address' },
    'show-moving': { path: `${settings}/moving`, about: 'A show: moving' },
    'show-exports': { path: `${settings}/exports`, about: 'A show: exports' },
    'show-end': { path: `${settings}/end`, about: 'A show: pausing and deleting' },
    account: { path: '/settings', about: 'Account' },
    password: { path: '/settings/password', about: 'Account: password' },
    sessions: { path: '/settings/sessions', about: 'Account: sessions' },
    plan: { path: '/settings/plan', about: 'Account: plan and usage' },
    deletion: { path: '/settings/deletion', about: 'Account: data and deletion' },
    keys: { path: '/settings/keys', about: 'Keys' },
    'new-key': { path: '/settings/keys/new', about: 'A new key' },
    sites: { path: '/settings/sites', about: 'Sites' },
    'new-site-key': { path: '/settings/sites/new-key', about: 'A key for a site' },
    missing: { path: '/nowhere', about: 'An address that leads nowhere' },
  };
}

/**
 * Makes a draft of an episode with audio, once, with a private preview, and imports figures of a
 * platform; finds the rest of the demo.
 */
async function prepare(page: Page, service: string) {
  const api = `${service}/app/api`;
  const read = async (path: string) => (await page.request.get(api + path)).json();
  const write = async (path: string, data: object) => {
    const headers = { origin: service, 'if-match': '*' };
    return (await page.request.post(api + path, { data, headers })).json();
  };
  const { id: podcastId } = (await read('/home')).data[0];
  const { data: episodes } = await read(`/podcasts/${podcastId}/episodes`);
  const [published, unpublished] = episodes;
  if (unpublished.status === 'published') await write(`/episodes/${unpublished.id}/unpublish`, {});
  const { data: link } = await write(`/episodes/${unpublished.id}/preview-link`, {});
  await importPlays(page, service, podcastId, episodes);
  const show = `/shows/${podcastId}`;
  return {
    show,
    episode: `${show}/episodes/${published.id}`,
    draft: `${show}/episodes/${unpublished.id}`,
    previewUrl: link.url,
    imported: `/imports/${(await read('/imports')).data[0].id}`,
  };
}

/** Invented figures, as the demo's downloads are. */
async function importPlays(
  page: Page,
  service: string,
  podcastId: string,
  episodes: readonly { readonly title: string }[],
): Promise<void> {
  const rows = episodes.map(
    ({ title }, index) =>
      `"${title}",${120 + 37 * index},${90 + 21 * index},${90_000 + 54_000 * index}`,
  );
  const file = ['Episode Title,Plays,Engaged Listeners,Time Listened', ...rows].join('\n');
  const headers = { origin: service, 'content-type': 'text/csv' };
  const address = `${service}/app/api/podcasts/${podcastId}/platforms/apple`;
  const response = await page.request.put(address, { data: file, headers });
  if (!response.ok()) throw new Error('the figures were refused');
}
