import { expect, it } from 'vitest';
import { writeRouteTable } from './route-table.ts';
import { createRoutes } from './routes.ts';

const routes = createRoutes({});
const lines = writeRouteTable(routes).trimEnd().split('\n');

it('the route table has one line per route, below a header', () => {
  expect(lines).toHaveLength(routes.length + 1);
  expect(lines[0]).toMatch(/^METHOD +PATH +CALLER +SUMMARY$/);
});

it.each([
  [/^GET +\/v1\/podcasts\/:slug +anyone +\S/],
  [/^GET +\/v1\/me\/podcasts +API key: \S+ +\S/],
  [/^GET +\/app\/api\/me +signed-in user +Who is signed in$/],
  [/^POST +\/app\/sign-in +visitor, signed in or not +\(page\)$/],
  [/^GET +\/healthz +anyone +\(operations\)$/],
])('says who may call a route, and what it does: %s', (line) => {
  expect(lines).toContainEqual(expect.stringMatching(line));
});
