import { domainToUnicode } from 'node:url';
import { type Html, html } from '../../../html.ts';

/**
 * A site's address with its real host in bold. A host in another script stays in punycode, because
 * its letters may look like those of another host; its Unicode form stands beside it.
 */
export function renderSiteAddress(url: string): Html {
  const { protocol, host, pathname } = new URL(url);
  return html`<span class="address" translate="no" dir="ltr">${protocol}//<strong>${host}</strong>${pathname}</span>${renderUnicodeForm(host)}`;
}

function renderUnicodeForm(host: string): Html | undefined {
  if (!host.split('.').some((label) => label.startsWith('xn--'))) return undefined;
  return html` <span class="meta unicode">written as <bdi>${domainToUnicode(host)}</bdi></span>`;
}

/** In the text of a line or title: host and path, without the scheme. */
export function shortAddress(url: string): string {
  const { host, pathname } = new URL(url);
  return pathname === '/' ? host : `${host}${pathname.replace(/\/$/, '')}`;
}
