import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../../server/src/app.ts';
import { signIn } from '../../server/src/domain/access/sessions/index.ts';
import { userScopes } from '../../server/src/domain/foundation/enumerations.ts';
import { system } from '../../server/src/domain/foundation/principal.ts';
import { loadSeedFile } from '../../server/src/domain/service/seeding/index.ts';
import { newId } from '../../server/src/lib/uuid.ts';

const password = 'correct horse battery staple';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** Credentials and names that exist, until requests delete them. */
export interface World {
  readonly cookies: readonly string[];
  readonly secrets: readonly string[];
  /** Values by the name of a parameter or field. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

/** Makes two users with shows, episodes in all states, keys and sites. */
export async function makeWorld(app: App, folder: string): Promise<World> {
  const tag = newId().slice(-10);
  const path = join(folder, 'seeds.json');
  await writeFile(path, JSON.stringify(describeWorld(tag)));
  const made = await loadSeedFile(app.ctx, app.geo, { path });
  const cookies = await Promise.all(
    ['ana', 'bo'].map(async (name) => {
      // Attempts to sign in are limited by network.
      const client = { network: `2001:db8:${tag}::/64`, userAgent: 'fuzz' };
      const ctx = app.contextFor(system);
      const { token } = await signIn(ctx, { email: emailOf(name, tag), password, client });
      return `podstead_session=${token}`;
    }),
  );
  const podcasts = Object.values(made.podcasts);
  const episodes = podcasts.flatMap((podcast) => Object.values(podcast.episodes));
  const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);
  const sites = Object.values(made.sites);
  const siteSecrets = sites.flatMap((site) => ('secret' in site ? [site.secret] : []));
  return {
    cookies,
    secrets: [...Object.values(made.keys).map(({ secret }) => secret), ...siteSecrets],
    values: {
      podcast: ids(podcasts),
      episode: ids(episodes),
      user: Object.values(made.users).map(({ id }) => id),
      key: ids(Object.values(made.keys)),
      slug: [`show-${tag}`, `other-${tag}`, 'one', 'two'],
      email: [emailOf('ana', tag), emailOf('bo', tag), 'new@example.com'],
      password: [password],
      challenge: [challenge],
    },
  };
}

const emailOf = (name: string, tag: string) => `${name}-${tag}@example.com`;

function describeWorld(tag: string): object {
  const text = 'WEBVTT\n\n00:00:00.000 --> 00:00:04.000\n<v Ana>Good evening & welcome.\n';
  const chapters = JSON.stringify({ version: '1.2.0', chapters: [{ startTime: 0, title: 'One' }] });
  const episode = (slug: string, more: object) => ({
    ref: slug,
    slug,
    title: `Episode ${slug}`,
    show_notes_html: '<p>Notes with <a href="https://example.com">a link</a></p>',
    ...more,
  });
  const soon = new Date(Date.now() + 86_400_000).toISOString();
  const show = (slug: string, owner: string) => ({
    ref: slug,
    owner,
    slug: `${slug}-${tag}`,
    title: `The ${slug}`,
    description: 'A show',
    members: [{ user: owner === 'ana' ? 'bo' : 'ana', role: 'editor' }],
    people: [{ ref: `${slug}-host`, name: 'Ana Berg' }],
    episodes: [
      episode('one', {
        status: 'published',
        audio: { tone_seconds: 60 },
        transcript: { text, language: 'en' },
        chapters: { text: chapters },
      }),
      episode('two', { status: 'published', audio: { tone_seconds: 5 } }),
      episode('three', { status: 'draft' }),
      episode('four', { status: 'scheduled', scheduled_for: soon, audio: { tone_seconds: 5 } }),
      episode('five', { status: 'archived', audio: { tone_seconds: 5 } }),
    ],
  });
  return {
    users: ['ana', 'bo'].map((ref) => ({
      ref,
      email: emailOf(ref, tag),
      name: ref,
      password,
      plan: 'studio',
    })),
    podcasts: [show('show', 'ana'), show('other', 'bo')],
    keys: [
      { ref: 'all', user: 'ana', scopes: [...userScopes] },
      { ref: 'some', user: 'bo', scopes: ['podcasts:read'], podcasts: ['other'] },
    ],
    sites: [{ ref: 'site', user: 'ana', flow: 'key', podcasts: ['show'] }],
  };
}
