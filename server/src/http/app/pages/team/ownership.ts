import Type from 'typebox';
import { appPages } from '../../../../domain/foundation/addresses.ts';
import {
  declineOwnership,
  getOwnershipOffer,
  type ReceivedOffer,
} from '../../../../domain/publishing/podcasts/index.ts';
import { acceptOwnership } from '../../../../domain/service/shows/index.ts';
import type { Page } from '../../../pages/page.ts';
import { link } from '../../../pages/page-words.ts';
import { type Html, html } from '../../../responses/html.ts';
import type { Route } from '../../../route.ts';
import { closed } from '../../field-schemas.ts';
import { isSignedIn } from '../../requester.ts';
import { seeOther } from '../../response.ts';
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
  TokenForm,
} from './emailed-offer.ts';

const path = appPages.ownershipOffer;
const declinePath = `${path}/decline`;

/** The target of the link in an offer of ownership. */
async function showOffer(context: OfferContext, state: FormState): Promise<Page> {
  const { requester, words } = context;
  const token = tokenOf(state);
  const offer = await ifLinkValid(getOwnershipOffer(requester.ctx, token));
  if (offer === undefined) return createUsedOfferPage(context, 'offer');
  const { ownerName: owner, podcastTitle: podcast, expiresAt } = offer;
  return createFrontPage({
    words,
    title: words.say('Accept {podcast}', { podcast }),
    state,
    body: html`<p>${words.write('<strong>{owner}</strong> would like to transfer this podcast to you. It moves to your account and plan with all its content. You will manage its team; {owner} stays as an admin.', { owner })}</p>
${renderDomain(words, offer)}${renderAccepting(context, offer, state)}
${renderDeclining(words, declinePath, token)}
<p class="meta">${words.write('The offer expires on {moment}.', { moment: renderMoment(words, expiresAt) })}</p>
`,
  });
}

/** Whoever controls the name decides where its visitors get to: usually the old owner. */
function renderDomain(words: OfferContext['words'], { domain }: ReceivedOffer): Html {
  if (domain === null) return html``;
  return html`<p>${words.write('The podcast keeps its domain <strong>{domain}</strong>. If it is not yours, change or remove it in the show settings.', { domain })}</p>
`;
}

function renderAccepting(context: OfferContext, offer: ReceivedOffer, state: FormState): Html {
  const { requester, words } = context;
  const { email, hasAccount } = offer;
  const token = tokenOf(state);
  if (isFor(requester, email)) {
    const accept = {
      action: path,
      fields: [
        {
          kind: 'check' as const,
          name: 'team_keys',
          label: words.say('Team members may read this podcast with their API keys'),
          hint: words.say('You can change this later.'),
        },
      ],
      hidden: { token },
      submit: words.say('Accept the podcast'),
    };
    return renderForm(words, accept, state);
  }
  if (hasAccount) return renderSignInAs(context, email, `${path}?token=${token}`);
  if (!requester.ctx.installation.signUp) {
    return html`<p>${words.write('You need an account for <strong>{email}</strong>. Ask the operator of this service for one, then open the link in the email again.', { email })}</p>
`;
  }
  const a = link(`${appPages.signUp}?${new URLSearchParams({ email }).toString()}`);
  return html`<p>${words.write('First <a>create an account</a> with <strong>{email}</strong>, then open the link in the email again.', { email, a })}</p>
`;
}

const acceptPage = defineFormPage({
  path,
  authenticate: anyRequester,
  form: closed({ ...TokenForm.properties, team_keys: Type.Boolean() }),
  urlFields: ['token'],
  show: showOffer,
  async submit({ requester }, { token, team_keys: teamKeys }) {
    if (!isSignedIn(requester)) return signInFirst(`${path}?token=${token}`);
    await acceptOwnership(requester.ctx, { token, teamKeys });
    return leadToApp('handed-over');
  },
});

const declineForm = defineFormPage({
  path: declinePath,
  shownAt: path,
  authenticate: anyRequester,
  form: TokenForm,
  show: showOffer,
  async submit({ requester: { ctx } }, { token }) {
    await declineOwnership(ctx, token);
    return seeOther(withDone(appPages.signIn, 'offer-declined'));
  },
});

export const ownershipPages: readonly Route[] = [...acceptPage, ...declineForm];
