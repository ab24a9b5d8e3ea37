import Type from 'typebox';
import { appPages } from '../../../../domain/addresses.ts';
import {
  createUnregisteredSiteKey,
  type UnregisteredSiteKey,
} from '../../../../domain/sites/index.ts';
import { html } from '../../../html.ts';
import type { Page } from '../../../pages/page.ts';
import { answerPage } from '../../answers.ts';
import type { SignedInRequester } from '../../requester.ts';
import { closed, id, password } from '../../schemas/fields.ts';
import { listOfferedShows } from '../connect/offered-shows.ts';
import { renderOthers, showsField, transcriptsField } from '../connect/show-fields.ts';
import { renderForm } from '../form.ts';
import { defineFormPage } from '../form-page.ts';
import { createSettingsPage } from '../frame.ts';
import { currentPasswordField } from '../known-fields.ts';
import { renderMoment } from '../moment.ts';
import { signedInRequester } from '../page-route.ts';

const path = appPages.sites;
const title = 'Create a site key';

/** For sites that are connected on a command line. */
export const newSiteKeyPage = defineFormPage({
  path: `${path}/new-key`,
  authenticate: signedInRequester,
  form: closed({
    podcasts: Type.Array(id),
    transcripts: Type.Boolean(),
    current_password: password,
  }),
  async show({ requester }, state) {
    const offered = await listOfferedShows(requester);
    const form = {
      action: `${path}/new-key`,
      fields: [showsField(offered.shows), transcriptsField, currentPasswordField],
      username: requester.session.email,
      submit: 'Create the site key',
    };
    return createSettingsPage(requester, {
      title,
      path,
      state,
      body: html`<p>A site key connects one site without a browser. The site's plugin has to register it within 24
hours; until then it can do nothing else.</p>
${
  offered.shows.length === 0
    ? html`<p>You have no show that can be connected.</p>\n`
    : renderForm(form, state)
}${renderOthers(offered)}<p><a href="${path}">Back to your sites</a></p>
`,
    });
  },
  async submit({ requester }, { podcasts, transcripts, current_password: currentPassword }) {
    const key = await createUnregisteredSiteKey(requester.ctx, {
      userId: requester.session.userId,
      podcastIds: podcasts,
      transcripts,
      currentPassword,
    });
    return answerPage(renderSecretPage(requester, key));
  },
});

function renderSecretPage(requester: SignedInRequester, key: UnregisteredSiteKey): Page {
  return createSettingsPage(requester, {
    title: 'Your new site key',
    path,
    body: html`<div class="notice done" role="status"><p>Copy the key now. It is shown only once, and we do not store
it.</p></div>
<h2>Key</h2>
<p><code class="secret" id="secret" translate="no">${key.secret}</code></p>
<p><button class="button" type="button" data-copy="secret" data-done="Copied" hidden>Copy</button></p>
<h2>Give it to the site</h2>
<p>Enter it on the server of the site, in the command line of the plugin, before
${renderMoment(key.registerBefore)}. The site then appears under Sites. Everybody who has the key
can connect a site of their own in your name, so do not send it by email or chat.</p>
<p><a href="${path}">Back to your sites</a></p>
`,
  });
}
