import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createDocsRoutes } from './docs-routes.ts';
import {
  renderChangelogPage,
  renderCountingPage,
  renderPlatformsPage,
  renderSitesPage,
  renderWebhooksPage,
} from './document-page.ts';

const paths = createDocsRoutes([]).map(({ path }) => path);
const dashboard = new URL('../../../../../dashboard/src/', import.meta.url);

const linksOf = (text: string) =>
  [...text.matchAll(/href="([^"]{1,200})"/g)].map(([, link = '']) => link);

describe('the pages of documents', () => {
  it('the pages of documents include all to which the dashboard links', () => {
    const files = globSync('**/*.tsx', { cwd: dashboard });
    const links = files
      .flatMap((name) => linksOf(readFileSync(new URL(name, dashboard), 'utf8')))
      .filter((link) => link.startsWith('/docs'));
    expect(links).toContain('/docs/platforms');
    expect(links.filter((link) => !paths.includes(link))).toEqual([]);
  });

  it.each([
    renderChangelogPage,
    renderCountingPage,
    renderPlatformsPage,
    renderSitesPage,
    renderWebhooksPage,
  ])('the pages of documents link to no files of the repository: %o', (render) => {
    const links = linksOf(render().text);
    expect(links).toContain('/docs');
    expect(links.filter((link) => !/^(?:\/|#|https:)/.test(link))).toEqual([]);
  });
});
