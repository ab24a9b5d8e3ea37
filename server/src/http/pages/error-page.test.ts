import { describe, expect, it } from 'vitest';
import { aShow, hosts, ReadPage } from '../../../test/example-show.ts';
import { errorCatalogue, internalFailure } from '../http-errors.ts';
import { type ErrorPage, renderErrorPage } from './error-page.ts';

const requestId = '8d5c2a4e-7f0b-4a8e-9c3d-1b2f6e7a9d40';
const read = (page: Partial<ErrorPage> = {}) =>
  new ReadPage(
    renderErrorPage({
      failure: internalFailure,
      requestId,
      framed: false,
      language: 'en',
      hosts,
      ...page,
    }),
  );
const withheld = { status: 403, code: 'unavailable', message: 'Not at the moment.' } as const;

describe('renderErrorPage', () => {
  it('renderErrorPage has a text and the reference for every code', () => {
    for (const code of Object.keys(errorCatalogue) as (keyof typeof errorCatalogue)[]) {
      const page = read({ failure: { status: 499, code, message: 'Words.' } });
      expect(page.text('h1'), code).not.toBe('');
      expect(page.text('main'), code).toContain('Words.');
      expect(page.text('main'), code).toContain(requestId);
    }
  });

  it('names a suspended show, only in its own language', () => {
    const show = aShow({ title: 'Nachtsignale', language: 'de-AT' });
    const page = read({ failure: withheld, show, language: 'fr' });
    expect(page.text('h1')).toBe('„Nachtsignale“ ist zurzeit nicht verfügbar');
    expect(page.all('html')[0]?.attribs).toMatchObject({ lang: 'de-AT', dir: 'ltr' });
    expect(page.all('span', { lang: 'en' })).toEqual([]);
    expect(page.text('main')).not.toContain(withheld.message);
  });

  it('links from a missing episode to its show', () => {
    const failure = { status: 404, code: 'not_found', message: 'No such episode.' } as const;
    const page = read({ failure, show: aShow({ language: 'ar' }) });
    expect(page.attribute('a', {}, 'href')).toBe('https://pods.example/listen/night-signals');
    expect(page.all('html')[0]?.attribs['dir']).toBe('rtl');
  });

  it('the page of a missing show has the links to go on before the reference', () => {
    const failure = { status: 404, code: 'not_found', message: 'No such show.' } as const;
    const text = read({ failure, isOfShow: true }).text('main');
    const places = ['Home', 'Do you work on this show?', requestId].map((of) => text.indexOf(of));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it("uses the reader's language if no show is known, else English", () => {
    expect(read({ language: 'ja' }).text('h1')).toBe('エラーが発生しました');
    const foreign = read({ language: 'fi' });
    expect(foreign.all('span', { lang: 'en' }).length).toBeGreaterThan(0);
  });

  it('escapes its values', () => {
    const failure = { ...internalFailure, message: '<script>alert(1)</script>' };
    const page = read({ failure, requestId: '<i>', show: aShow({ title: '<b>' }) });
    for (const name of ['script', 'i', 'b']) expect(page.all(name)).toEqual([]);
  });

  it('allows frames only if its route does', () => {
    const policy = (framed: boolean) => read({ framed }).page.headers['Content-Security-Policy'];
    expect(policy(false)).toContain("frame-ancestors 'none'");
    expect(policy(true)).not.toContain('frame-ancestors');
  });

  it('complies with its policy', () => {
    const { allowed, present } = read({ framed: true }).hashes();
    expect(allowed).toEqual(present);
  });
});
