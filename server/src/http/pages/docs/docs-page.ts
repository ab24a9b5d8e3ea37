import { type Html, html } from '../../responses/html.ts';
import { readStyle } from '../assets.ts';
import { createPage, type Page } from '../page.ts';
import { paletteStyle } from '../palette.ts';

const style = paletteStyle(null, 'auto') + readStyle('base.css', 'docs.css');

const pages = [
  ['/docs', 'Reference'],
  ['/docs/player', 'Player'],
  ['/docs/counting', 'Counting'],
  ['/docs/platforms', 'Platforms'],
  ['/docs/sites', 'Sites'],
  ['/docs/webhooks', 'Webhooks'],
  ['/docs/errors', 'Errors'],
  ['/docs/changelog', 'Changelog'],
] as const;

export interface DocsPart {
  readonly path: (typeof pages)[number][0];
  readonly title: string;
  /** Links to the sections of the page. */
  readonly contents: Html;
  readonly body: Html;
}

/** The layout that all documentation pages share. */
export function createDocsPage({ path, title, contents, body }: DocsPart): Page {
  return createPage({
    language: 'en',
    title: `${title} – Podstead API`,
    head: html`<link rel="icon" href="/favicon.svg" type="image/svg+xml">`,
    body: html`<a class="skip" href="#main">Skip to content</a>
<header class="bar">
<a class="home" href="/">Podstead</a>
<nav aria-label="Documentation">${pages.map(
      ([address, name]) =>
        html`<a href="${address}"${address === path && html` aria-current="page"`}>${name}</a> `,
    )}<a href="/v1/openapi.json">OpenAPI</a></nav>
</header>
<div class="sheet">
<nav class="contents" aria-label="On this page">${contents}</nav>
<main id="main" tabindex="-1">
<h1>${title}</h1>
${body}
</main>
</div>
`,
    style,
  });
}
