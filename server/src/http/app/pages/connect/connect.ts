import Type from 'typebox';
import {
  approveConnection,
  type CheckedRequest,
  findSiteAt,
  isConnected,
  type ListedSite,
} from '../../../../domain/exchange/sites/index.ts';
import { appPages } from '../../../../domain/foundation/addresses.ts';
import { type Html, html } from '../../../html.ts';
import type { Page } from '../../../pages/page.ts';
import { answerPage, seeOther } from '../../answers.ts';
import type { SignedInRequester } from '../../requester.ts';
import { closed, id } from '../../schemas/fields.ts';
import { type Form, renderForm } from '../form.ts';
import { defineFormPage } from '../form-page.ts';
import type { FormState } from '../form-state.ts';
import { createFrontPage } from '../frame.ts';
import { type Asked, signedInRequester } from '../page-route.ts';
import { listOfferedShows, type OfferedShows } from './offered-shows.ts';
import { connectUrl, readRequest } from './read-request.ts';
import { createRefusedPage } from './refused-page.ts';
import { renderOthers, showsField, transcriptsField } from './show-fields.ts';
import { renderSiteAddress, shortAddress } from './site-address.ts';

const path = appPages.connect;

/**
 * The page where a user approves a connection. The plugin's request stays in the query, also of the
 * form, so that it survives signing in. It is checked each time, before any redirect to its
 * address.
 */
export const connectPage = defineFormPage({
  path,
  authenticate: signedInRequester,
  form: closed({
    podcasts: Type.Array(id),
    transcripts: Type.Boolean(),
    decision: Type.Enum(['allow', 'deny'], { type: 'string' }),
  }),
  async show({ requester, query, reply }, state) {
    const { request, problems } = readRequest(query);
    if (request === undefined) return createRefusedPage(reply, problems);
    const [before, offered] = await Promise.all([
      findSiteAt(requester.ctx, request.siteUrl),
      listOfferedShows(requester),
    ]);
    return renderConnectPage({ requester, request, before, offered, query, state });
  },
  async submit({ requester, query, reply }, { decision, ...chosen }) {
    const { request, problems } = readRequest(query);
    if (request === undefined) return answerPage(createRefusedPage(reply, problems));
    if (decision === 'deny') return seeOther(backTo(request, { error: 'access_denied' }));
    const { code } = await approveConnection(requester.ctx, {
      ...request,
      userId: requester.session.userId,
      podcastIds: chosen.podcasts,
      transcripts: chosen.transcripts,
    });
    return seeOther(backTo(request, { code }));
  },
});

/** The plugin's address with our answer, which replaces parameters of the same names. */
function backTo(
  { redirectUri, state }: CheckedRequest,
  answer: { readonly code: string } | { readonly error: string },
): string {
  const url = new URL(redirectUri);
  for (const name of ['code', 'error', 'state']) url.searchParams.delete(name);
  for (const [name, value] of Object.entries({ ...answer, state })) {
    url.searchParams.set(name, value);
  }
  return url.href;
}

interface Shown {
  readonly requester: SignedInRequester;
  readonly request: CheckedRequest;
  readonly before: ListedSite | undefined;
  readonly offered: OfferedShows;
  readonly query: Asked<SignedInRequester>['query'];
  readonly state: FormState;
}

function renderConnectPage(shown: Shown): Page {
  const { requester, request, before, offered, state } = shown;
  return createFrontPage({
    title: `Connect ${shortAddress(request.siteUrl)}`,
    state,
    formTarget: new URL(request.redirectUri).origin,
    body: html`<p>This website asks to show your episodes:</p>
<div class="card site"><p>${renderSiteAddress(request.siteUrl)}</p>
${request.siteName !== null && html`<p class="meta">It calls itself <q><bdi>${request.siteName}</bdi></q>.</p>\n`}</div>
<p>It will read the shows that you choose, and change nothing. Allow it only if this is your website and
you have just started this there.</p>
${renderBefore(before)}${renderForm(formOf(shown), startingValues(shown))}${
  offered.shows.length === 0 &&
  html`<p>You have no show that can be connected. A show can be connected by its owner or an admin, if it is
hosted here and its plan includes the API.</p>\n`
}${
  offered.hasMore &&
  html`<p>You have more shows than this page lists. You can add them to the website afterwards, under
<a href="${appPages.sites}">Sites</a>.</p>\n`
}${renderOthers(offered)}${renderTerms(requester)}`,
  });
}

function renderBefore(before: ListedSite | undefined): Html | undefined {
  if (before === undefined || !isConnected(before)) return undefined;
  return html`<div class="notice"><p>This website is connected already. If you allow this, the new connection replaces
the present one. Its posts stay connected with their episodes.</p></div>
`;
}

function formOf({ offered, query }: Shown): Form {
  const { shows } = offered;
  const allow = { name: 'decision', value: 'allow', label: 'Allow', look: 'primary' } as const;
  const deny = { name: 'decision', value: 'deny', label: 'Deny', look: 'plain' } as const;
  const isPossible = shows.length > 0;
  return {
    action: connectUrl(path, query),
    fields: isPossible ? [showsField(shows), transcriptsField] : [],
    submit: isPossible ? [allow, deny] : [deny],
  };
}

/** Preselects the shows of the present connection, or the user's only show. */
function startingValues({ state, before, offered: { shows } }: Shown): FormState {
  const only = shows.length === 1 ? shows.map(({ id }) => id) : [];
  const podcasts = before === undefined ? only : before.shows.map(({ id }) => id);
  const begun = { podcasts, transcripts: before?.transcripts ?? false };
  return { ...state, values: { ...begun, ...state.values } };
}

function renderTerms({ session }: SignedInRequester): Html {
  return html`<h2>What this means</h2>
<ul>
<li>The website can read the shows that you choose, with notes and people, and also episodes that are
not published yet.</li>
<li>It cannot change or delete anything here, and it sees no statistics.</li>
<li>It can tell us which episodes it has posted, and you can see that under
<a href="${appPages.sites}">Sites</a>.</li>
<li>The connection ends after one year, when you disconnect the website, or when you change your
password.</li>
</ul>
<p class="meta">You are signed in as <strong>${session.email}</strong>.</p>
`;
}
