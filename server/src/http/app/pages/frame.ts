import { readStyle } from '../../pages/assets.ts';
import { createPage, type Page } from '../../pages/page.ts';
import type { PageWords } from '../../pages/page-words.ts';
import { paletteStyle } from '../../pages/palette.ts';
import { type Html, html } from '../../responses/html.ts';
import { renderDone } from './done.ts';
import type { FormState } from './form-state.ts';

const style = paletteStyle(null, 'auto') + readStyle('base.css', 'account.css');

interface Content {
  readonly words: PageWords;
  readonly title: string;
  /**
   * The state of the page's form. Problems appear in the title, which screen readers read first.
   */
  readonly state?: FormState | undefined;
  /** The name of a confirmation message. */
  readonly done?: string | undefined;
  readonly body: Html;
  /** An origin that the response to the form redirects to. */
  readonly formTarget?: string | undefined;
}

/** A page that works without a script, for visitors signed in or not. */
export function createFrontPage(content: Content): Page {
  const { words, title, state, done, body, formTarget } = content;
  const failed = state !== undefined && state.problems.length > 0;
  const named = failed ? words.say('Problem: {title}', { title }) : title;
  const { language } = words;
  const page = createPage({
    language,
    title: `${named} – Podstead`,
    head: html`<meta name="robots" content="noindex">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">`,
    personal: true,
    style,
    formTarget,
    body: html`<header class="bar"><a class="home" href="/">Podstead</a></header>
<main>
<h1>${title}</h1>
${renderDone(done, words)}${body}
</main>
`,
  });
  return { ...page, headers: { ...page.headers, 'Content-Language': language } };
}
