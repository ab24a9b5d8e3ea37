/** Light or dark: what the person chose in this browser, else what the system says. */
export type ColorScheme = 'auto' | 'light' | 'dark';

const changed = 'podstead:scheme';
const year = 365 * 24 * 60 * 60;

export const chosenColorScheme = (): ColorScheme =>
  (document.documentElement.dataset['scheme'] as ColorScheme | undefined) ?? 'auto';

/** A cookie, so that the server's page has the scheme before the first paint. */
export function chooseColorScheme(scheme: ColorScheme): void {
  const age = scheme === 'auto' ? 0 : year;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers.
  document.cookie = `podstead-scheme=${scheme}; Path=/app; Max-Age=${age}; SameSite=Lax`;
  show(scheme);
  document.dispatchEvent(new Event(changed));
}

/**
 * Applies the cookie. The cached page for times without a connection cannot have the scheme, because
 * it is the same for everybody.
 */
export function restoreColorScheme(): void {
  const [, scheme] = /(?:^|; )podstead-scheme=(light|dark)/.exec(document.cookie) ?? [];
  if (scheme !== undefined) show(scheme as ColorScheme);
}

/** Calls back when the colors change, so that drawings are repeated. The result ends it. */
export function watchColorScheme(listener: () => void): () => void {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', listener);
  document.addEventListener(changed, listener);
  return () => {
    system.removeEventListener('change', listener);
    document.removeEventListener(changed, listener);
  };
}

function show(scheme: ColorScheme): void {
  const { dataset } = document.documentElement;
  if (scheme === 'auto') delete dataset['scheme'];
  else dataset['scheme'] = scheme;
}
