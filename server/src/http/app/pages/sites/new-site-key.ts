import Type from 'typebox';
import { appPages } from '../../../../domain/addresses.ts';
import { createUnregisteredSiteKey } from '../../../../domain/sites/index.ts';
import { newId } from '../../../../lib/uuid.ts';
import { html } from '../../../html.ts';
import { answerPage } from '../../answers.ts';
import { closed, id, password } from '../../schemas/fields.ts';
import { listOfferedShows } from '../connect/offered-shows.ts';
import { renderOthers, showsField, transcriptsField } from '../connect/show-fields.ts';
import { renderForm } from '../form.ts';
import { defineFormPage } from '../form-page.ts';
import { createSettingsPage } from '../frame.ts';
import { currentPasswordField } from '../known-fields.ts';
import { signedInRequester } from '../page-route.ts';
import { isSentTwice } from '../settings/keys/sent-twice-page.ts';
import { renderSecretPage, renderSentTwicePage } from './site-key-pages.ts';

const path = appPages.sites;
const title = 'Create a site key';

/** For sites that are connected on a command line. */
export const newSiteKeyPage = defineFormPage({
  path: `${path}/new-key`,
  authenticate: signedInRequester,
  form: closed({
    id,
    podcasts: Type.Array(id),
    transcripts: Type.Boolean(),
    current_password: password,
  }),
  async show({ requester }, state) {
    const offered = await listOfferedShows(requester);
    const values = { id: newId(), ...state.values };
    const form = {
      action: `${path}/new-key`,
      fields: [showsField(offered.shows), transcriptsField, currentPasswordField],
      hidden: { id: values.id },
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
    : renderForm(form, { ...state, values })
}${renderOthers(offered)}<p><a href="${path}">Back to your sites</a></p>
`,
    });
  },
  async submit({ requester, reply }, { current_password: currentPassword, ...given }) {
    try {
      const key = await createUnregisteredSiteKey(requester.ctx, {
        id: given.id,
        userId: requester.session.userId,
        podcastIds: given.podcasts,
        transcripts: given.transcripts,
        currentPassword,
      });
      return answerPage(renderSecretPage(requester, key));
    } catch (error) {
      if (!isSentTwice(error)) throw error;
      reply.code(409);
      return answerPage(renderSentTwicePage(requester));
    }
  },
});
