import { appPages } from '../../../../../domain/addresses.ts';
import {
  type Key,
  type KeyUse,
  listKeys,
  maxActiveKeys,
} from '../../../../../domain/keys/index.ts';
import { listMyPodcasts } from '../../../../../domain/podcasts/index.ts';
import { type Html, html } from '../../../../html.ts';
import { keyStateOf } from '../../../present.ts';
import { createSettingsPage } from '../../frame.ts';
import { renderMoment } from '../../moment.ts';
import { defineSettingsPage } from '../../page-route.ts';

export const keysPage = defineSettingsPage({
  path: appPages.keys,
  async show({ requester, done }) {
    const { ctx, session } = requester;
    const now = ctx.clock.now();
    const keys = await listKeys(ctx, session.userId);
    const refs = keys.flatMap(({ podcasts, cutOffFrom }) => [
      ...(podcasts === 'all' ? [] : podcasts),
      ...cutOffFrom,
    ]);
    const { items: podcasts } = await listMyPodcasts(ctx, { limit: refs.length, refs });
    const titles = new Map(podcasts.map(({ id, title }) => [id, title]));
    const active = keys.filter((key) => keyStateOf(key, now) === 'active');
    const ended = keys.filter((key) => !active.includes(key));
    const cards = (list: readonly Key[]) =>
      html`<ul class="cards">${list.map((key) => renderKey(key, titles, now))}</ul>`;
    return createSettingsPage(requester, {
      title: 'API keys',
      path: appPages.keys,
      done,
      body: html`<p>An API key lets a program read your podcasts through the <a href="/docs">API</a>. It cannot
change anything. You have ${active.length} of ${maxActiveKeys} keys.</p>
<p>${
        active.length < maxActiveKeys
          ? html`<a class="button primary" href="${appPages.keys}/new">Create a key</a>`
          : html`Revoke a key before you create another.`
      }</p>
${active.length > 0 && cards(active)}
${active.length > 1 && html`<p><a class="button danger" href="${appPages.keys}/revoke-all">Revoke all</a></p>`}
${ended.length > 0 && html`<h2>Ended in the last 30 days</h2>\n${cards(ended)}`}`,
    });
  },
});

function renderKey(key: Key, titles: ReadonlyMap<string, string>, now: Date): Html {
  const state = keyStateOf(key, now);
  // Keys that have ended are under a heading of their own.
  const heading = state === 'active' ? 'h2' : 'h3';
  return html`<li class="card"><${heading}>${key.name}${
    state !== 'active' && html` <span class="badge bad">${state}</span>`
  }</${heading}>
<dl class="pairs">
<dt>Secret</dt><dd>ends in <code>${key.lastFour}</code>${renderReplaced(key)}</dd>
<dt>Permissions</dt><dd>${key.scopes.join(', ')}</dd>
<dt>Podcasts</dt><dd>${describePodcasts(key, titles)}</dd>
<dt>Last used</dt><dd>${renderUse(key.lastUse)}</dd>
<dt>Created</dt><dd>${renderMoment(key.createdAt)}</dd>
${key.revokedAt === null && html`<dt>${state === 'active' ? 'Expires' : 'Expired'}</dt><dd>${renderMoment(key.expiresAt)}</dd>`}
</dl>
${state === 'active' && renderActions(key)}</li>
`;
}

function renderActions({ id, name }: Key): Html {
  const action = (verb: string, label: string, look = '') =>
    html`<a class="button small${look}" href="${appPages.keys}/${id}/${verb}" aria-label="${label}: ${name}">${label}</a>`;
  return html`<div class="row">${action('roll', 'Roll')}${action('widen', 'Add access')}${action('revoke', 'Revoke', ' danger')}</div>`;
}

function renderReplaced({ replaced }: Key): Html | undefined {
  if (replaced === null) return undefined;
  return html`; the old secret, ending in <code>${replaced.lastFour}</code>, works until ${renderMoment(replaced.worksUntil)}`;
}

function describePodcasts(
  { podcasts, cutOffFrom }: Key,
  titles: ReadonlyMap<string, string>,
): string {
  const named = (ids: readonly string[]) => {
    const known = ids.flatMap((id) => titles.get(id) ?? []);
    const more = ids.length - known.length;
    // Podcasts that the user no longer works on are only counted.
    const others = `${more} ${more === 1 ? 'podcast' : 'podcasts'} that you no longer work on`;
    return [...known, ...(more > 0 ? [others] : [])].join(', ');
  };
  const reach =
    podcasts === 'all' ? 'all of yours, including future ones' : named(podcasts) || 'none';
  return cutOffFrom.length === 0 ? reach : `${reach}; cut off from ${named(cutOffFrom)}`;
}

const countries = new Intl.DisplayNames('en', { type: 'region' });

function renderUse(use: KeyUse | null): Html {
  if (use === null) return html`never`;
  const places = [
    ...(use.country === null ? [] : [countries.of(use.country) ?? use.country]),
    ...(use.network === null ? [] : [use.network]),
  ];
  return html`${renderMoment(use.at)}${places.length > 0 && `, from ${places.join(', ')}`}`;
}
