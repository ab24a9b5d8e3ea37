import { confirmEmail, findLink } from '../../../domain/access/sessions/index.ts';
import { appPages } from '../../../domain/foundation/addresses.ts';
import { link } from '../../pages/page-words.ts';
import { html } from '../../responses/html.ts';
import { closed, token } from '../field-schemas.ts';
import { isSignedIn } from '../requester.ts';
import { seeOther } from '../response.ts';
import { leadToApp, withDone } from './done.ts';
import { renderForm } from './form.ts';
import { defineFormPage } from './form-page.ts';
import { tokenOf } from './form-state.ts';
import { createFrontPage } from './frame.ts';
import { createInvalidLinkPage } from './invalid-link-page.ts';
import { anyRequester } from './page-route.ts';

/** A button rather than the link itself, because mail programs open links to scan them. */
export const confirmEmailPage = defineFormPage({
  path: appPages.confirmEmail,
  authenticate: anyRequester,
  form: closed({ token }),
  urlFields: ['token'],
  async show({ requester: { ctx }, reply, words }, state) {
    const found = await findLink(ctx, 'change_email', tokenOf(state));
    if (found === undefined) {
      const whatNow = words.write('<a>Request a new email</a>.', { a: link(appPages.changeEmail) });
      return createInvalidLinkPage(words, reply, whatNow);
    }
    const form = {
      action: appPages.confirmEmail,
      fields: [],
      hidden: { token: tokenOf(state) },
      submit: words.say('Confirm this address'),
    };
    return createFrontPage({
      words,
      title: words.say('Confirm your new email address'),
      state,
      body: html`<p>${words.write('You will sign in as <strong>{email}</strong> and receive our emails there.', { email: found.email })}</p>
${renderForm(words, form, state)}`,
    });
  },
  async submit({ requester }, values) {
    await confirmEmail(requester.ctx, values);
    return isSignedIn(requester)
      ? leadToApp('email')
      : seeOther(withDone(appPages.signIn, 'email'));
  },
});
