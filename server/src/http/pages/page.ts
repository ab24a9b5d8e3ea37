import { createHash } from 'node:crypto';
import type { AiTraining } from '../../domain/foundation/enumerations.ts';
import { Html, html } from '../responses/html.ts';
import {
  type Caching,
  createPayload,
  type ExtraHeaders,
  type Payload,
} from '../responses/payload.ts';
import { divideHeaders } from '../responses/training-headers.ts';
import { directionOf } from './page-language.ts';

/** A page with its headers. */
export interface Page {
  readonly text: string;
  readonly headers: ExtraHeaders;
}

export interface PageParts {
  /** BCP 47. */
  readonly language: string;
  readonly title: string;
  /** Additional elements of the head. */
  readonly head?: Html;
  readonly body: Html;
  readonly bodyClass?: string;
  /** All styles of the page. No style sheet is fetched, and no element has a style attribute. */
  readonly style: string;
  readonly script?: string;
  /** An external script and its integrity hash. */
  readonly scriptFile?: { readonly src: string; readonly integrity: string };
  /** The same for a module that runs after `script`. */
  readonly moduleFile?: { readonly src: string; readonly integrity: string };
  /** URLs of scripts that these may load. */
  readonly laterScripts?: readonly string[];
  /** Origins that scripts may send requests to. */
  readonly dataFrom?: readonly string[];
  /** Other sites may show the page in a frame; `here`: only pages of the same origin. */
  readonly framable?: boolean | 'here';
  /** The origin of images and audio, if it differs. */
  readonly filesFrom?: string;
  /** An account page: has forms, loads nothing from elsewhere, and sends no referrer. */
  readonly personal?: boolean;
  /** It has a form that loads a page of the same host. */
  readonly hasSearch?: boolean;
  /** An origin that the response to the page's form redirects to: Chromium applies form-action to it. */
  readonly formTarget?: string | undefined;
}

export const pageType = 'text/html; charset=utf-8';

/** A self-contained document with a policy that runs nothing else. */
export function createPage(parts: PageParts): Page {
  const { language, title, head, body, bodyClass, style, script, scriptFile, moduleFile } = parts;
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
${body}${script !== undefined && html`<script type="module">${new Html(script)}</script>`}${
  moduleFile &&
  html`<script type="module" src="${moduleFile.src}" integrity="${moduleFile.integrity}" crossorigin="anonymous"></script>`
}
</body>
</html>
`.text;
  return {
    text,
    headers: {
      'Content-Security-Policy': policyFor(parts),
      // With `no-referrer`, browsers would also hide the origin of forms from us.
      'Referrer-Policy':
        parts.personal === true ? 'same-origin' : 'strict-origin-when-cross-origin',
      // For browsers that do not know frame-ancestors.
      ...(parts.personal === true && { 'X-Frame-Options': 'DENY' }),
    },
  };
}

/** `show`: whose page it is. */
export function createPagePayload(
  page: Page,
  show: { readonly aiTraining: AiTraining } = { aiTraining: 'allow' },
  caching?: Caching,
): Promise<Payload> {
  return createPayload(pageType, page.text, { ...divideHeaders(page.headers, show), caching });
}

/** Inline style and script are allowed by hash, so injected code does not run. */
function policyFor(parts: PageParts): string {
  const { style, script, scriptFile, moduleFile, laterScripts = [], dataFrom } = parts;
  const { formTarget, framable, filesFrom = '', personal, hasSearch } = parts;
  if (formTarget !== undefined && !isFormTarget(formTarget)) {
    throw new Error(`a policy cannot name the form target ${formTarget}`);
  }
  const forms = ["'self'", ...(formTarget === undefined ? [] : [formTarget])];
  const files = personal === true ? "'self'" : `'self' ${filesFrom} https:`.replace('  ', ' ');
  // Without TLS, the installation also plays audio without TLS.
  const plain = filesFrom.startsWith('http:') ? ' http:' : '';
  // By origin, not as 'self', which browsers treat differently in a sandboxed frame.
  const scripts = [
    ...(script === undefined ? [] : [hashOf(script)]),
    ...[scriptFile, moduleFile].flatMap((file) => file?.src ?? []),
    ...laterScripts,
  ];
  return [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${scripts.join(' ') || "'none'"}`,
    ...(dataFrom === undefined ? [] : [`connect-src ${dataFrom.join(' ')}`]),
    `img-src ${files}`,
    `media-src ${files}${plain}`,
    "base-uri 'none'",
    `form-action ${personal === true || hasSearch === true ? forms.join(' ') : "'none'"}`,
    ...(framable === true ? [] : [`frame-ancestors ${framable === 'here' ? "'self'" : "'none'"}`]),
  ].join('; ');
}

/**
 * Whether a policy can name this origin. The parser of URLs takes hosts with `;` or `,`, which
 * separate the parts of a policy.
 */
export function isFormTarget(origin: string): boolean {
  return /^https:\/\/[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(origin);
}

function hashOf(source: string): string {
  return `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
}
