import { appPages } from '../../../domain/addresses.ts';
import { type Html, html } from '../../html.ts';
import { readScript, readStyle } from '../../pages/assets.ts';
import { createPage, type Page } from '../../pages/page.ts';
import { paletteStyle } from '../../pages/palette.ts';
import type { SignedInRequester } from '../requester.ts';
import { renderDone } from './done.ts';
import type { FormState } from './form-state.ts';

const style =
  paletteStyle(null, 'auto') + readStyle('base.css', 'account.css', 'account-lists.css');
const script = readScript(new URL('../../pages/assets/account.js', import.meta.url));

interface Content {
  readonly title: string;
  /**
   * The state of the page's form. Problems appear in the title, which screen readers read first.
   */
  readonly state?: FormState | undefined;
  /** The name of a confirmation message. */
  readonly done?: string | undefined;
  readonly body: Html;
  /** An origin that the answer to the form redirects to. */
  readonly formTarget?: string | undefined;
  /** Has a table, which needs more room than forms. */
  readonly wide?: boolean;
}

/** A page for visitors, signed in or not. */
export function createFrontPage({ title, state, done, body, formTarget }: Content): Page {
  return createPage({
    ...shared(title, state),
    formTarget,
    body: html`<header class="bar"><a class="home" href="/">Podstead</a></header>
<main>
<h1>${title}</h1>
${renderDone(done)}${body}
</main>
`,
  });
}

const settingsPages = [
  [appPages.profile, 'Profile'],
  [appPages.password, 'Password'],
  [appPages.sessions, 'Sessions'],
  [appPages.keys, 'Keys'],
  [appPages.podcasts, 'Podcasts'],
  [appPages.sites, 'Sites'],
] as const;

type SettingsPath = (typeof settingsPages)[number][0];

/** A settings page, with the user's name, navigation and sign-out. */
export function createSettingsPage(
  { session }: SignedInRequester,
  { path, title, state, done, body, wide }: Content & { readonly path: SettingsPath },
): Page {
  return createPage({
    ...shared(title, state),
    ...(wide === true && { bodyClass: 'wide' }),
    script,
    body: html`<a class="skip" href="#main">Skip to content</a>
<header class="bar"><a class="home" href="/">Podstead</a>
<div class="who"><span>${session.userName}</span><form method="post" action="${appPages.signOut}"><button class="button small">Sign out</button></form></div>
</header>
<nav class="tabs" aria-label="Account">${settingsPages.map(
      ([address, name]) =>
        html`<a href="${address}"${address === path && html` aria-current="page"`}>${name}</a> `,
    )}</nav>
<main id="main" tabindex="-1">
<h1>${title}</h1>
${renderDone(done)}${body}
</main>
`,
  });
}

function shared(title: string, state: FormState | undefined) {
  const failed = state !== undefined && state.problems.length > 0;
  return {
    language: 'en',
    title: `${failed ? 'Problem: ' : ''}${title} – Podstead`,
    head: html`<meta name="robots" content="noindex">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">`,
    personal: true,
    style,
  };
}
