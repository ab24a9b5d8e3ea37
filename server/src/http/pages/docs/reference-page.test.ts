import { DomUtils } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { ReadPage } from '../../../../test/example-show.ts';
import { errorBody, errorCatalogue } from '../../http-errors.ts';
import { describeApi } from '../../openapi/describe-public-api.ts';
import { apiRoutes } from '../../routes.ts';
import { type ApiDocument, listOperations } from './api-document.ts';
import { renderChangelogPage } from './document-page.ts';
import { renderErrorsPage } from './errors-page.ts';
import { boundsOf, curlExample, listFields, typeOf } from './operation.ts';
import { renderReferencePage } from './reference-page.ts';

const baseUrl = 'https://pods.example';
const document = describeApi(apiRoutes, baseUrl) as unknown as ApiDocument;
const operations = listOperations(document);

const reference = await renderReferencePage(document);

describe('/docs', () => {
  const page = new ReadPage(reference);
  const ids = new Set(page.all('h3').map((heading) => heading.attribs['id']));

  // PAGE-10
  it('/docs has every operation, with path, parameters, statuses and an example call', () => {
    expect(operations.length).toBeGreaterThan(4);
    expect([...ids]).toEqual(expect.arrayContaining(operations.map((one) => one.operationId)));
    for (const operation of operations) {
      const section = page.all('section', { 'aria-labelledby': operation.operationId })[0];
      const text = section === undefined ? '' : DomUtils.textContent(section);
      expect(text).toContain(operation.path);
      expect(text).toContain(curlExample(document, operation));
      for (const status of Object.keys(operation.responses)) expect(text).toContain(status);
    }
  });

  it('/docs has every field, at any depth', () => {
    const fields = page.all('code').map((code) => DomUtils.textContent(code));
    for (const name of ['data', 'show_powered_by', 'duration_seconds', 'next_cursor']) {
      expect(fields).toContain(name);
    }
  });

  it('links error codes to their sections', () => {
    expect(page.all('a', { href: '/docs/errors#rate_limited' })).toHaveLength(operations.length);
  });

  it('/docs has no broken links', () => {
    const places = new Set(
      page
        .all('h2')
        .concat(page.all('h3'), page.all('main'))
        .map(({ attribs }) => attribs['id']),
    );
    const local = page
      .all('a')
      .flatMap(({ attribs: { href = '' } }) => href.match(/^#(.+)/)?.[1] ?? []);
    for (const id of local) expect(places).toContain(id);
  });

  it('complies with its policy, runs no script, and refuses frames', () => {
    const { allowed, present } = page.hashes();
    expect(allowed).toEqual(present);
    expect(page.page.headers['Content-Security-Policy']).toContain("frame-ancestors 'none'");
    expect(page.all('script')).toEqual([]);
  });
});

describe('/docs/errors', () => {
  const page = new ReadPage(renderErrorsPage(baseUrl));

  // ERR-3, PAGE-10
  it.each(Object.keys(errorCatalogue) as (keyof typeof errorCatalogue)[])(
    '/docs/errors is the target of the docs_url of %s',
    (code) => {
      const body = errorBody({ status: 400, code, message: '' }, 'id', baseUrl) as {
        error: { docs_url: string };
      };
      const { pathname, hash } = new URL(body.error.docs_url);
      expect(pathname).toBe('/docs/errors');
      expect(page.all('h2', { id: hash.slice(1) })).toHaveLength(1);
    },
  );

  it('shows placeholders as text', () => {
    expect(page.text('main')).toContain('Authorization: Bearer <API_KEY>');
  });
});

describe('/docs/changelog', () => {
  it('/docs/changelog is the Markdown file', () => {
    const page = new ReadPage(renderChangelogPage());
    expect(page.text('h1')).toBe('Changelog');
    expect(page.text('code')).toContain('GET /v1/oembed');
  });
});

describe('curlExample', () => {
  it('curlExample has values for the parameters of the path and the query', () => {
    const byId = Object.fromEntries(operations.map((one) => [one.operationId, one]));
    expect(curlExample(document, byId['getPodcast']!)).toBe(
      "curl 'https://pods.example/v1/podcasts/night-signals'",
    );
    expect(curlExample(document, byId['getOEmbed']!)).toMatch(/oembed\?url=[^&']+'$/);
  });

  it('curlExample has a key if the endpoint needs one, and the method if it is not GET', () => {
    const operation = {
      ...{ method: 'POST', path: '/v1/me/sites', operationId: 'x', tags: [], summary: '' },
      responses: {},
      security: [{ apiKey: [] }],
    };
    expect(curlExample(document, operation)).toBe(
      `curl -X POST -H "Authorization: Bearer $API_KEY" 'https://pods.example/v1/me/sites'`,
    );
  });
});

describe('schemas in words', () => {
  const tree: ApiDocument = {
    ...document,
    components: {
      schemas: {
        Node: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: ['string', 'null'], maxLength: 10, description: 'Its name.' },
            children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
            other: { anyOf: [{ $ref: '#/components/schemas/Node' }, { type: 'null' }] },
          },
        },
      },
    },
  };

  const unsaid = { bounds: '', description: '' };

  it('stops at recursive schemas', () => {
    expect(listFields(tree, { $ref: '#/components/schemas/Node' })).toEqual([
      {
        ...{ name: 'name', depth: 0, type: 'string or null', optional: false },
        ...{ bounds: 'at most 10 characters', description: 'Its name.' },
      },
      { name: 'children', depth: 0, type: 'list of Node', optional: true, ...unsaid },
      { name: 'other', depth: 0, type: 'Node or null', optional: true, ...unsaid },
    ]);
  });

  it.each([
    [{ type: 'string', format: 'uuid' }, 'string (uuid)'],
    [{ type: 'string', enum: ['a', 'b'] }, '"a", "b"'],
    [{ const: '1.0' }, '"1.0"'],
    [{}, 'anything'],
  ])('%j: %s', (schema, words) => {
    expect(typeOf(tree, schema)).toBe(words);
  });

  it.each([
    [{ minimum: 1, maximum: 50, default: 20 }, '1 to 50, default 20'],
    [{ minimum: 1 }, 'at least 1'],
    [{ maxLength: 10 }, 'at most 10 characters'],
    [{}, ''],
  ])('bounds %j: %s', (schema, words) => {
    expect(boundsOf(schema)).toBe(words);
  });

  it('a broken reference is an error', () => {
    expect(() => listFields(tree, { $ref: '#/components/schemas/Gone' })).toThrow('schemas/Gone');
  });
});
