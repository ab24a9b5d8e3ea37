import {
  isConnected,
  type ListedPost,
  type ListedSite,
  mostBehind,
  type SiteShow,
  type SiteStatus,
} from '../../../../domain/sites/index.ts';
import { type Html, html } from '../../../html.ts';
import { renderMoment } from '../moment.ts';

/** The words for what is known of a site. */

const statusWords: Readonly<Record<SiteStatus, string>> = {
  pending: 'Not finished',
  active: 'Connected',
  revoked: 'Disconnected by the site',
  disconnected: 'Disconnected',
};

export function renderStatus({ status }: ListedSite): Html {
  const look = status === 'active' ? 'good' : status === 'pending' ? '' : 'bad';
  return html`<span class="badge ${look}">${statusWords[status]}</span>`;
}

const showWords: Readonly<Record<SiteShow['state'], string | undefined>> = {
  read: undefined,
  deleted: 'deleted',
  cut_off: 'cut off by its owner; connect the site again to add it',
  left: 'you are no longer on its team',
  no_plan: 'its plan does not include the API, or has lapsed',
  no_team_keys: 'its owner does not let team members use keys',
  silent: 'not published at present',
};

/** Shows that the user no longer works on are only counted. */
export function renderShows(shows: readonly SiteShow[]): Html {
  if (shows.length === 0) return html`none`;
  const known = shows.flatMap(({ title, state }) => (title === null ? [] : [{ title, state }]));
  const others = shows.length - known.length;
  return html`<ul class="lines">${known.map(
    ({ title, state }) =>
      html`<li>${title}${showWords[state] !== undefined && html` <span class="meta">(${showWords[state]})</span>`}</li>`,
  )}${others > 0 && html`<li class="meta">${others} ${others === 1 ? 'show' : 'shows'} that you no longer work on</li>`}</ul>`;
}

/** Whether the site has fetched the newest changes. */
export function renderProgress({ lastCall }: ListedSite): Html {
  if (lastCall === null) return html`The site has not asked for changes yet.`;
  return html`${describeBehind(lastCall.behind)}, asked ${renderMoment(lastCall.at)}`;
}

function describeBehind(behind: number): string {
  if (behind === 0) return 'Up to date';
  if (behind >= mostBehind) return `${mostBehind} changes behind, or more`;
  return `${behind} ${behind === 1 ? 'change' : 'changes'} behind`;
}

export function renderLastSync({ lastSyncAt }: ListedSite): Html {
  return lastSyncAt === null ? html`not reported yet` : renderMoment(lastSyncAt);
}

export function renderVersions({ pluginVersion, wpVersion, phpVersion }: ListedSite): Html {
  if (pluginVersion === null) return html`not reported yet`;
  return html`plugin ${pluginVersion}, WordPress ${wpVersion}, PHP ${phpVersion}`;
}

/** Undefined while pings arrive. */
export function renderPingTrouble(site: ListedSite): Html | undefined {
  const { pings } = site;
  if (!isConnected(site) || pings === null || pings.failures === 0) return undefined;
  const times = pings.failures === 1 ? 'once' : `${pings.failures} times`;
  return html`<div class="notice problem"><p>We could not tell the site about changes: our calls failed ${times}${
    pings.lastError !== null && html` (${describeFailure(pings.lastError)})`
  }. The site finds changes later, when it asks by itself.</p></div>
`;
}

/** A status, or the reason why there was no answer. */
function describeFailure(error: string): string {
  return /^\d+$/.test(error) ? `status ${error}` : error.replaceAll('_', ' ');
}

const postWords: Readonly<Record<ListedPost['state'], string>> = {
  queued: 'Queued',
  scheduled: 'Scheduled',
  published: 'Published',
  draft: 'Draft',
  trashed: 'In the trash',
};

const goneWords: Readonly<Record<NonNullable<ListedPost['gone']>, string>> = {
  unpublished: 'Episode not public',
  deleted: 'Episode deleted',
  show_removed: 'Show removed',
};

export function describePost({ state }: ListedPost): string {
  return postWords[state];
}

/** Whether the post shows what the episode says now. */
export function describeFreshness({ gone, upToDate, detachedAt }: ListedPost): string {
  if (detachedAt !== null) return 'Detached';
  if (gone !== null) return goneWords[gone];
  if (upToDate === null) return 'Unknown';
  return upToDate ? 'Up to date' : 'Out of date';
}
