import Type from 'typebox';
import { appPages } from '../../../../domain/addresses.ts';
import { changeShows, getSite, type ListedSite } from '../../../../domain/sites/index.ts';
import { html } from '../../../html.ts';
import { seeOther } from '../../answers.ts';
import { closed, id, ids } from '../../schemas/fields.ts';
import { listOfferedShows, type OfferedShows } from '../connect/offered-shows.ts';
import { renderOthers } from '../connect/show-fields.ts';
import { sayingDone } from '../done.ts';
import type { ChoiceField } from '../fields.ts';
import { renderForm } from '../form.ts';
import { defineFormPage } from '../form-page.ts';
import { createSettingsPage } from '../frame.ts';
import { signedInRequester } from '../page-route.ts';
import { shortAddress } from './site-address.ts';

const path = appPages.sites;

export const changeShowsPage = defineFormPage({
  path: `${path}/:siteId/shows`,
  params: ids('siteId'),
  authenticate: signedInRequester,
  form: closed({ podcasts: Type.Array(id) }),
  async show({ requester, params: { siteId } }, state) {
    const site = await getSite(requester.ctx, siteId);
    const offered = await listOfferedShows(requester);
    const podcasts = site.shows.flatMap(({ id, state }) => (state === 'cut_off' ? [] : [id]));
    const form = {
      action: `${path}/${site.id}/shows`,
      fields: [fieldOf(site, offered)],
      submit: 'Save the shows',
    };
    return createSettingsPage(requester, {
      title: `Shows of ${shortAddress(site.siteUrl)}`,
      path,
      state,
      body: html`<p>The site makes posts for new shows when it asks for changes next. Posts of a removed show stay on
the site, and change no more.</p>
${renderForm(form, { ...state, values: { podcasts, ...state.values } })}${renderOthers(offered)}<p><a href="${path}/${site.id}">Back to the site</a></p>
`,
    });
  },
  async submit({ requester, params: { siteId } }, { podcasts }) {
    await changeShows(requester.ctx, siteId, podcasts);
    return seeOther(sayingDone(`${path}/${siteId}`, 'site-shows'));
  },
});

/** What the site has already can stay, whether or not it could be added now. */
function fieldOf({ shows }: ListedSite, offered: OfferedShows): ChoiceField {
  const cutOff = new Set(shows.flatMap(({ id, state }) => (state === 'cut_off' ? [id] : [])));
  const offeredIds = new Set(offered.shows.map(({ id }) => id));
  const kept = shows.filter(({ id }) => !offeredIds.has(id) && !cutOff.has(id));
  const addable = offered.shows.filter(({ id }) => !cutOff.has(id));
  return {
    kind: 'some-of',
    name: 'podcasts',
    label: 'Shows that the site may read',
    choices: [
      ...addable.map(({ id, title, slug }) => ({ value: id, label: title, hint: slug })),
      ...kept.map(({ id, title }) => ({
        value: id,
        label: title ?? 'A show that you no longer work on',
        hint: 'cannot be added again once it is removed',
      })),
    ],
  };
}
