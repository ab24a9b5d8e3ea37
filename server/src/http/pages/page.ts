import { createHash } from 'node:crypto';
import { Html, html } from '../html.ts';
import { createPayload, type ExtraHeaders, type Payload } from '../payload.ts';
import { directionOf } from './language.ts';

/** A page and the headers that belong to it. */
export interface Page {
  readonly text: string;
  readonly headers: ExtraHeaders;
}

export interface PageParts {
  /** BCP 47. */
  readonly language: string;
  readonly title: string;
  /** What stands in the head beside charset, viewport, title and style. */
  readonly head?: Html;
  readonly body: Html;
  readonly bodyClass?: string;
  /** Everything the page is styled with: nothing is fetched, and no element has a style of its own. */
  readonly style: string;
  readonly script?: string;
  /** A script with an address of its own, and the hash that its bytes must have. */
  readonly scriptFile?: { readonly src: string; readonly integrity: string };
  /** Origins that scripts may fetch data from. */
  readonly dataFrom?: readonly string[];
  /** May stand in the frames of other sites. */
  readonly framable?: boolean;
  /** Where its pictures and audio are, beside its own host. */
  readonly filesFrom?: string;
  /** Of one person: has forms, loads from nowhere else, tells nobody else its address. */
  readonly personal?: boolean;
}

export const pageType = 'text/html; charset=utf-8';

/** One document that needs no other request to be read, under a policy that lets nothing else run. */
export function createPage(parts: PageParts): Page {
  const { language, title, head, body, bodyClass, style, script, scriptFile } = parts;
  const text = html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
<style>${new Html(style)}</style>${
    scriptFile &&
    html`
<script src="${scriptFile.src}" integrity="${scriptFile.integrity}" crossorigin="anonymous" defer></script>`
  }
</head>
<body${bodyClass !== undefined && html` class="${bodyClass}"`}>
${body}${script !== undefined && html`<script type="module">${new Html(script)}</script>`}
</body>
</html>
`.text;
  return {
    text,
    headers: {
      'Content-Security-Policy': policyFor(parts),
      // With `no-referrer` browsers would hide from us, too, where a form comes from.
      'Referrer-Policy':
        parts.personal === true ? 'same-origin' : 'strict-origin-when-cross-origin',
    },
  };
}

export function createPagePayload(page: Page): Promise<Payload> {
  return createPayload(pageType, page.text, { extra: page.headers });
}

/** Inline style and script are named by their hashes: whatever a title smuggles in does not run. */
function policyFor(parts: PageParts): string {
  const { style, script, scriptFile, dataFrom, framable, filesFrom = '', personal } = parts;
  const files = personal === true ? "'self'" : `'self' ${filesFrom} https:`.replace('  ', ' ');
  // An installation without TLS plays audio that a source serves without it.
  const plain = filesFrom.startsWith('http:') ? ' http:' : '';
  // By its address, not as 'self': in a sandboxed frame browsers disagree on what that is.
  const scripts = [
    ...(script === undefined ? [] : [hashOf(script)]),
    ...(scriptFile === undefined ? [] : [scriptFile.src]),
  ];
  return [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${scripts.join(' ') || "'none'"}`,
    ...(dataFrom === undefined ? [] : [`connect-src ${dataFrom.join(' ')}`]),
    `img-src ${files}`,
    `media-src ${files}${plain}`,
    "base-uri 'none'",
    `form-action ${personal === true ? "'self'" : "'none'"}`,
    ...(framable === true ? [] : ["frame-ancestors 'none'"]),
  ].join('; ');
}

function hashOf(source: string): string {
  return `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
}
