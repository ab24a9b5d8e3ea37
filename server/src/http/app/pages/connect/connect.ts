import { domainToUnicode } from 'node:url';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import {
  approveConnection,
  type CheckedRequest,
  checkConnection,
  findSiteAt,
  isConnected,
  type ListedSite,
  listConnectableShows,
  type ManagedShow,
} from '../../../../domain/exchange/sites/index.ts';
import { appPages } from '../../../../domain/foundation/addresses.ts';
import type { ErrorDetail } from '../../../../domain/foundation/errors.ts';
import { roleOf } from '../../../../domain/foundation/permissions/index.ts';
import { message } from '../../../../domain/foundation/translations/index.ts';
import { listMyPodcasts } from '../../../../domain/publishing/podcasts/index.ts';
import { isFormTarget, type Page } from '../../../pages/page.ts';
import { link, type PageWords } from '../../../pages/page-words.ts';
import { type Html, html } from '../../../responses/html.ts';
import { closed, id } from '../../field-schemas.ts';
import type { SignedInRequester } from '../../requester.ts';
import { pageResponse, seeOther } from '../../response.ts';
import type { ChoiceField, Field } from '../fields.ts';
import { type Form, renderForm } from '../form.ts';
import { defineFormPage } from '../form-page.ts';
import type { FormState } from '../form-state.ts';
import { createFrontPage } from '../frame.ts';
import { type PageContext, signedInRequester } from '../page-route.ts';

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
  async show({ requester, query, reply, words }, state) {
    const { request, problems } = readRequest(query);
    if (request === undefined) return createRefusedPage(words, reply, problems);
    const [before, offered] = await Promise.all([
      findSiteAt(requester.ctx, request.siteUrl),
      listOfferedShows(words, requester),
    ]);
    return renderConnectPage({ words, requester, request, before, offered, query, state });
  },
  async submit({ requester, query, reply, words }, { decision, ...chosen }) {
    const { request, problems } = readRequest(query);
    if (request === undefined) return pageResponse(createRefusedPage(words, reply, problems));
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

/** The plugin's address with our response, which replaces parameters of the same names. */
function backTo(
  { redirectUri, state }: CheckedRequest,
  response: { readonly code: string } | { readonly error: string },
): string {
  const url = new URL(redirectUri);
  for (const name of ['code', 'error', 'state']) url.searchParams.delete(name);
  for (const [name, value] of Object.entries({ ...response, state })) {
    url.searchParams.set(name, value);
  }
  return url.href;
}

interface Shown {
  readonly words: PageWords;
  readonly requester: SignedInRequester;
  readonly request: CheckedRequest;
  readonly before: ListedSite | undefined;
  readonly offered: OfferedShows;
  readonly query: PageContext<SignedInRequester>['query'];
  readonly state: FormState;
}

function renderConnectPage(shown: Shown): Page {
  const { words, requester, request, before, offered, state } = shown;
  const { siteUrl, siteName } = request;
  return createFrontPage({
    words,
    title: words.say('Connect {site}', { site: shortAddress(siteUrl) }),
    state,
    formTarget: new URL(request.redirectUri).origin,
    body: html`<p>${words.write('This website asks to show your episodes:')}</p>
<div class="card site"><p>${renderSiteAddress(words, siteUrl)}</p>
${siteName !== null && html`<p class="meta">${words.write('It calls itself {name}.', { name: html`<q><bdi>${siteName}</bdi></q>` })}</p>\n`}</div>
<p>${words.write('It will read the shows that you choose, and change nothing. Allow it only if this is your website and you have just started this there.')}</p>
${renderBefore(words, before)}${renderForm(words, formOf(shown), startingValues(shown))}${
  offered.shows.length === 0 &&
  html`<p>${words.write('None of your shows can be connected. A show can be connected by its owner or an admin, if it is hosted here and its plan includes the API.')}</p>\n`
}${
  offered.hasMore &&
  html`<p>${words.write('You have more shows than this page lists. You can add them to the website afterwards, under <a>Sites</a>.', { a: link(appPages.sites) })}</p>\n`
}${renderOthers(words, offered)}${renderTerms(words, requester)}`,
  });
}

function renderBefore(words: PageWords, before: ListedSite | undefined): Html | undefined {
  if (before === undefined || !isConnected(before)) return undefined;
  return html`<div class="notice"><p>${words.write('This website is connected already. If you allow this, the new connection replaces the present one. Its posts stay connected with their episodes.')}</p></div>
`;
}

function formOf({ words, offered, query }: Shown): Form {
  const { shows } = offered;
  const [yes, no] = [words.say('Allow'), words.say('Deny')];
  const allow = { name: 'decision', value: 'allow', label: yes, look: 'primary' } as const;
  const deny = { name: 'decision', value: 'deny', label: no, look: 'plain' } as const;
  const isPossible = shows.length > 0;
  return {
    action: connectUrl(path, query),
    fields: isPossible ? [showsField(words, shows), transcriptsField(words)] : [],
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

function renderTerms(words: PageWords, { session: { email } }: SignedInRequester): Html {
  return html`<h2>${words.write('What this means')}</h2>
<ul>
<li>${words.write('The website can read the shows that you choose, with notes and people, and also episodes that are not published yet.')}</li>
<li>${words.write('It cannot change or delete anything here, and it sees no statistics.')}</li>
<li>${words.write('It can tell us which episodes it has posted, and you can see that under <a>Sites</a>.', { a: link(appPages.sites) })}</li>
<li>${words.write('The connection ends after one year, when you disconnect the website, or when you change your password.')}</li>
</ul>
<p class="meta">${words.write('You are signed in as <strong>{email}</strong>.', { email })}</p>
`;
}

/** The parameters of the approval page (SITE-4). */
const names = [
  'site_url',
  'rest_root',
  'admin_url',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  'site_name',
] as const;
type Name = (typeof names)[number];

type ReadRequest =
  | { readonly request: CheckedRequest; readonly problems: readonly [] }
  | { readonly request: undefined; readonly problems: readonly ErrorDetail[] };

/** The request of a plugin, or all its problems. */
function readRequest(query: Readonly<Record<string, unknown>>): ReadRequest {
  const twice = names.filter((name) => Array.isArray(query[name]));
  const given = (name: Name) => {
    const value = query[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const { value, details } = checkConnection({
    siteUrl: given('site_url'),
    restRoot: given('rest_root'),
    adminUrl: given('admin_url'),
    siteName: given('site_name'),
    redirectUri: given('redirect_uri'),
    state: given('state'),
    codeChallenge: given('code_challenge'),
    codeChallengeMethod: given('code_challenge_method'),
  });
  const problems = [
    ...twice.map((field) => ({ field, message: 'This is given twice.' })),
    ...details.filter(({ field }) => !twice.some((name) => name === field)),
  ];
  if (value === undefined || problems.length > 0) return { request: undefined, problems };
  if (isFormTarget(new URL(value.redirectUri).origin)) return { request: value, problems: [] };
  const words = "This URL's host has characters that websites' hosts cannot have.";
  return { request: undefined, problems: [{ field: 'site_url', message: words }] };
}

/** The URL of this page with the plugin's request. */
function connectUrl(path: string, query: Readonly<Record<string, unknown>>): string {
  const given = new URLSearchParams();
  for (const name of names) {
    const value = query[name];
    if (typeof value === 'string') given.set(name, value);
  }
  return `${path}?${given.toString()}`;
}

/** Lists the problems. It has no links, because no address of a refused request can be trusted. */
function createRefusedPage(
  words: PageWords,
  reply: FastifyReply,
  problems: readonly ErrorDetail[],
): Page {
  reply.code(400);
  return createFrontPage({
    words,
    title: words.say('This request is invalid'),
    body: html`<p>${words.write('A website sent you here to be connected with your podcasts, but its request is wrong. Nothing was connected.')}</p>
<dl class="pairs">
${problems.map(
  (problem) => html`<dt><code>${problem.field}</code></dt><dd>${words.writeSaid(problem)}</dd>
`,
)}</dl>
<p>${words.write('Go back to your site and begin again. If this page comes up again, update the plugin, and show this page to the people who make it. They find the rules in the <a>documentation</a>.', { a: link('/docs/sites') })}</p>
`,
  });
}

function showsField(words: PageWords, shows: readonly ManagedShow[]): ChoiceField {
  return {
    kind: 'some-of',
    name: 'podcasts',
    label: words.say('Shows'),
    choices: shows.map(({ id, title, slug }) => ({ value: id, label: title, hint: slug })),
  };
}

function transcriptsField(words: PageWords): Field {
  return {
    kind: 'check',
    name: 'transcripts',
    label: words.say('Include transcripts'),
    hint: words.say(
      'The site can read the transcripts of these shows. Its posts show those that you publish.',
    ),
  };
}

function renderOthers(words: PageWords, { others }: OfferedShows): Html | undefined {
  if (others.length === 0) return undefined;
  return html`<details class="more"><summary>${words.write('{count, plural, one {One show} other {# shows}} you cannot connect', { count: others.length })}</summary>
<ul>${others.map(({ title, reason }) => html`<li><strong>${title}</strong>: ${reason}.</li>\n`)}</ul>
</details>
`;
}

/**
 * A site's address with its real host in bold. A host in another script stays in punycode, because
 * its letters may look like those of another host; its Unicode form stands beside it.
 */
function renderSiteAddress(words: PageWords, url: string): Html {
  const { protocol, host, pathname } = new URL(url);
  return html`<span class="address" translate="no" dir="ltr">${protocol}//<strong>${host}</strong>${pathname}</span>${renderUnicodeForm(words, host)}`;
}

function renderUnicodeForm(words: PageWords, host: string): Html | undefined {
  if (!host.split('.').some((label) => label.startsWith('xn--'))) return undefined;
  return html` <span class="meta unicode">${words.write('written as {host}', { host: html`<bdi>${domainToUnicode(host)}</bdi>` })}</span>`;
}

/** In the text of a line or title: host and path, without the scheme. */
function shortAddress(url: string): string {
  const { host, pathname } = new URL(url);
  return pathname === '/' ? host : `${host}${pathname.replace(/\/$/, '')}`;
}

/** The shows that a user may choose for a site, and the others with the reason. */
interface OfferedShows {
  readonly shows: readonly ManagedShow[];
  /** Whether the user has more shows than a page can offer. */
  readonly hasMore: boolean;
  readonly others: readonly { readonly title: string; readonly reason: string }[];
}

/** One site can have so many. Who has more can change a site's shows in the app, which searches. */
const mostOffered = 1_000;
/** At most this many shows of other teams are read and listed. */
const mostOthers = 200;

const reasons: Readonly<Record<NonNullable<ManagedShow['obstacle']>, string>> = {
  hosted_elsewhere: message('its audio is not hosted here'),
  plan_lapsed: message('its plan has lapsed'),
  plan_without_api: message('its plan does not include the API'),
};

async function listOfferedShows(
  words: PageWords,
  { ctx }: SignedInRequester,
): Promise<OfferedShows> {
  const { items: managed, next } = await listConnectableShows(ctx, { limit: mostOffered });
  const known = new Set(managed.map(({ id }) => id));
  const { items } = await listMyPodcasts(ctx, { limit: mostOthers });
  const others = [
    ...managed.flatMap(({ title, obstacle }) =>
      obstacle === null ? [] : [{ title, reason: words.say(reasons[obstacle]) }],
    ),
    ...items
      .filter(({ id }) => !known.has(id))
      .map(({ title, membership }) => {
        const role = words.role(roleOf(membership));
        const reason = words.say('only its owner or an admin can, and your role is {role}', {
          role,
        });
        return { title, reason };
      }),
  ];
  return {
    shows: managed.filter(({ obstacle }) => obstacle === null),
    hasMore: next !== undefined,
    others,
  };
}
