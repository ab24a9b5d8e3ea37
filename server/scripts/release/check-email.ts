import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const arrivesWithinMs = 30_000;

/**
 * Has the server at `url` send an email, to a user that it has, and opens the link in it. `dataFolder`: its
 * DATA_DIR, where emails are files. Rejects if the text or the HTML of the email has no link, or if the link
 * does not work.
 */
export async function checkEmail(url: string, user: string, dataFolder: string): Promise<void> {
  const response = await fetch(`${url}/app/forgot`, {
    ...{ method: 'POST', redirect: 'manual', headers: { origin: url } },
    body: new URLSearchParams({ email: user }),
  });
  if (response.status !== 303) throw new Error(`/app/forgot responds with ${response.status}.`);
  const [text = '', html = ''] = await readParts(join(dataFolder, 'emails'), user);
  const links = [text, html].map((part) => findLink(part, url));
  const [link] = links;
  if (link === undefined || links[1] !== link)
    throw new Error(`The email has the links ${JSON.stringify(links)} in its text and HTML.`);
  const page = await fetch(link);
  if (!page.ok) throw new Error(`The link in the email responds with ${page.status}.`);
  if (!(await page.text()).includes('type="password"'))
    throw new Error('The page of the link in the email asks for no password.');
}

const findLink = (part: string, url: string) =>
  part.match(/https?:\/\/[^\s"<>]+/g)?.find((link) => link.startsWith(`${url}/app/`));

/** The plain text and the HTML of the email to `user`, as soon as it is there. */
async function readParts(folder: string, user: string): Promise<string[]> {
  for (let waitedMs = 0; waitedMs < arrivesWithinMs; waitedMs += 100) {
    const email = listEmails(folder).find((message) => message.includes(`To: ${user}`));
    const [, boundary] = /boundary="([^"]+)"/.exec(email ?? '') ?? [];
    if (email !== undefined && boundary !== undefined)
      return email.split(`--${boundary}`).slice(1, 3);
    await wait(100);
  }
  throw new Error(`No email to ${user} was written to ${folder}.`);
}

function listEmails(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.eml'));
    return names.map((name) => readFileSync(join(folder, name), 'utf8'));
  } catch {
    // The first email creates the folder.
    return [];
  }
}
