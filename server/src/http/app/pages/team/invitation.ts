import { signUpByInvitation } from '../../../../domain/access/sessions/index.ts';
import { appPages } from '../../../../domain/foundation/addresses.ts';
import { roleOf } from '../../../../domain/foundation/permissions/index.ts';
import {
  acceptInvitation,
  declineInvitation,
  getInvitation,
  type ReceivedInvitation,
} from '../../../../domain/publishing/podcasts/index.ts';
import type { Page } from '../../../pages/page.ts';
import { type Html, html } from '../../../responses/html.ts';
import type { Route } from '../../../route.ts';
import { isSignedIn } from '../../requester.ts';
import { seeOther } from '../../response.ts';
import { setSession } from '../../session-cookie.ts';
import { accountFields, NewAccountForm } from '../account-fields.ts';
import { leadToApp, withDone } from '../done.ts';
import { renderForm } from '../form.ts';
import { defineFormPage } from '../form-page.ts';
import { type FormState, tokenOf } from '../form-state.ts';
import { createFrontPage } from '../frame.ts';
import { createUsedOfferPage, ifLinkValid } from '../invalid-link-page.ts';
import { renderMoment } from '../moment.ts';
import { anyRequester, signInFirst } from '../page-route.ts';
import {
  isFor,
  type OfferContext,
  renderDeclining,
  renderSignInAs,
  renderSignUpAs,
  TokenForm,
} from './emailed-offer.ts';

const path = appPages.invitation;
const signUpPath = `${path}/sign-up`;
const declinePath = `${path}/decline`;

/** The target of an invitation's link. Accepting requires an account with the invited address. */
async function showInvitation(context: OfferContext, state: FormState): Promise<Page> {
  const { requester, words } = context;
  const token = tokenOf(state);
  const invitation = await ifLinkValid(getInvitation(requester.ctx, token));
  if (invitation === undefined) return createUsedOfferPage(context, 'invitation');
  const { inviterName: inviter, podcastTitle: podcast, expiresAt } = invitation;
  const role = words.role(roleOf(invitation));
  return createFrontPage({
    words,
    title: words.say('Invitation to {podcast}', { podcast }),
    state,
    body: html`<p>${words.write('<strong>{inviter}</strong> invites you to work on this podcast. Your role will be: <strong>{role}</strong>.', { inviter, role })}</p>
${renderJoining(context, invitation, state)}
${renderDeclining(words, declinePath, token)}
<p class="meta">${words.write('The invitation expires on {moment}.', { moment: renderMoment(words, expiresAt) })}</p>
`,
  });
}

function renderJoining(
  context: OfferContext,
  { email, hasAccount }: ReceivedInvitation,
  state: FormState,
): Html {
  const { requester, words } = context;
  const token = tokenOf(state);
  if (isFor(requester, email)) {
    const accept = { action: path, fields: [], hidden: { token }, submit: words.say('Accept') };
    return renderForm(words, accept, state);
  }
  const here = `${path}?token=${token}`;
  if (hasAccount === null) return renderSignUpAs(context, email, here);
  if (hasAccount) return renderSignInAs(context, email, here);
  const signUp = {
    action: signUpPath,
    fields: accountFields(words, requester.ctx.installation),
    hidden: { token },
    username: email,
    submit: words.say('Create account and join'),
  };
  return html`<p>${words.write('To join, create an account for <strong>{email}</strong>.', { email })}</p>
${renderForm(words, signUp, state)}`;
}

const acceptPage = defineFormPage({
  path,
  authenticate: anyRequester,
  form: TokenForm,
  urlFields: ['token'],
  show: showInvitation,
  async submit({ requester }, { token }) {
    if (!isSignedIn(requester)) return signInFirst(`${path}?token=${token}`);
    await acceptInvitation(requester.ctx, token);
    return leadToApp('joined');
  },
});

const signUpForm = defineFormPage({
  path: signUpPath,
  shownAt: path,
  authenticate: anyRequester,
  form: NewAccountForm,
  show: showInvitation,
  async submit({ requester: { ctx, client }, reply }, { accepts_terms: acceptsTerms, ...given }) {
    setSession(ctx, reply, await signUpByInvitation(ctx, { ...given, acceptsTerms, client }));
    return leadToApp('joined');
  },
});

const declineForm = defineFormPage({
  path: declinePath,
  shownAt: path,
  authenticate: anyRequester,
  form: TokenForm,
  show: showInvitation,
  async submit({ requester: { ctx } }, { token }) {
    await declineInvitation(ctx, token);
    return seeOther(withDone(appPages.signIn, 'declined'));
  },
});

export const invitationPages: readonly Route[] = [...acceptPage, ...signUpForm, ...declineForm];
