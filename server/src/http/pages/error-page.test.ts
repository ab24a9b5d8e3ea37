import { describe, expect, it } from 'vitest';
import { errorCatalogue, internalFailure } from '../errors.ts';
import { renderErrorPage } from './error-page.ts';
import { ReadPage } from './show-for-test.ts';

const id = '8d5c2a4e-7f0b-4a8e-9c3d-1b2f6e7a9d40';

describe('renderErrorPage', () => {
  it('has words and the reference for every code', () => {
    for (const code of Object.keys(errorCatalogue) as (keyof typeof errorCatalogue)[]) {
      const page = new ReadPage(
        renderErrorPage({ status: 499, code, message: 'Words.' }, id, false),
      );
      expect(page.text('h1'), code).not.toBe('');
      expect(page.text('main'), code).toContain('Words.');
      expect(page.text('main'), code).toContain(id);
    }
  });

  it('escapes what it is told', () => {
    const failure = { ...internalFailure, message: '<script>alert(1)</script>' };
    const page = new ReadPage(renderErrorPage(failure, '<i>', false));
    expect(page.all('script')).toEqual([]);
    expect(page.all('i')).toEqual([]);
  });

  it('may stand in a frame where its surface may, and nowhere else', () => {
    const policy = (framed: boolean) =>
      renderErrorPage(internalFailure, id, framed).headers['Content-Security-Policy'];
    expect(policy(false)).toContain("frame-ancestors 'none'");
    expect(policy(true)).not.toContain('frame-ancestors');
  });

  it('is styled as its policy allows', () => {
    const { allowed, present } = new ReadPage(renderErrorPage(internalFailure, id, true)).hashes();
    expect(allowed).toEqual(present);
  });
});
