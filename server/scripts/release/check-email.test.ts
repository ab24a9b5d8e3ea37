import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HttpHost, openHttpHost } from '../../test/hosts/http-host.ts';
import { checkEmail } from './check-email.ts';

let folder: string;
let host: HttpHost;
/** What the server does when a password was forgotten, and at the link. */
let send: (url: string) => string;
let page: [number, string];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'podstead-email-'));
  page = [200, '<form><input type="password"></form>'];
  host = await openHttpHost((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(page[0]).end(page[1]);
    mkdirSync(join(folder, 'emails'));
    writeFileSync(join(folder, 'emails/1.eml'), send(host.url));
    response.writeHead(303).end();
  });
});
afterEach(async () => {
  await host[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const emailOf = (text: string, html: string) =>
  [
    ...['To: ana@example.com', 'Content-Type: multipart/alternative; boundary="b"', ''],
    ...['--b', '', text, '--b', '', html, '--b--', ''],
  ].join('\r\n');
const linkOf = (url: string) => `${url}/app/reset-password?token=abc`;
const check = () => checkEmail(host.url, 'ana@example.com', folder);

// RELEASE-11
it('a release is accepted if the link in an email of its server works', async () => {
  send = (url) => emailOf(`Choose: ${linkOf(url)}`, `<a href="${linkOf(url)}">Choose</a>`);
  await expect(check()).resolves.toBeUndefined();
});

it.each([
  ['text', (url: string) => emailOf('Choose', `<a href="${linkOf(url)}">Choose</a>`)],
  ['HTML', (url: string) => emailOf(`Choose: ${linkOf(url)}`, 'Choose')],
])('a release is refused if the %s of an email has lost its link', async (_, written) => {
  send = written;
  await expect(check()).rejects.toThrow(/^The email has the links \[/);
});

it.each([
  [[404, ''], 'The link in the email responds with 404.'],
  [[200, 'Hello'], 'The page of the link in the email asks for no password.'],
] as const)('a release is refused if the link of an email leads to %j', async (shown, message) => {
  send = (url) => emailOf(linkOf(url), `<a href="${linkOf(url)}">Choose</a>`);
  page = [...shown];
  await expect(check()).rejects.toThrow(message);
});
