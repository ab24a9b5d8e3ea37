import { randomUUID } from 'node:crypto';
import { signIn } from '../../server/src/domain/access/sessions/index.ts';
import { createUser } from '../../server/src/domain/foundation/accounts/index.ts';
import { system } from '../../server/src/domain/foundation/principal.ts';
import type { Run } from '../bench.ts';
import { createBenchDatabase } from '../installation/bench-database.ts';
import { copyPassword, insertNetwork } from '../installation/fill-network.sql.ts';
import { vacuum } from '../installation/fill-show.sql.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';
import { makeTempFolder } from '../temp-folder.ts';

const shows = Number(process.env['SCALE_SHOWS'] ?? 10_000);
export const size = {
  ...{ shows, episodesOfShow: 50, users: shows / 5, showsOfFirst: shows / 10, days: 5 },
};
export const origin = 'http://test.local';
/** Owns `size.showsOfFirst` shows. */
export const largeOwner = 'user1@example.com';
/** Owns a few. */
export const smallOwner = 'user2@example.com';
const password = 'correct horse battery staple';

/** A filled network until it is disposed. */
export async function makeNetwork(
  run: Run,
): Promise<{ readonly place: Required<Omit<Place, 'settings'>> } & AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await makeTempFolder());
  const database = opened.use(await createBenchDatabase());
  const place = { dataDir: folder.path, databaseUrl: database.url };
  run.say(`  filling ${size.shows} shows of ${size.episodesOfShow} episodes`);
  await using app = await openInstallation(place);
  const { ctx } = app;
  {
    await using session = await app.database.openLongSession();
    await insertNetwork(session.query, size);
    const from = { email: `${randomUUID()}@example.com`, name: 'Ana', password };
    await createUser(ctx, from);
    for (const to of [largeOwner, smallOwner])
      await copyPassword(session.query, { from: from.email, to });
    await vacuum(session.query);
  }
  const resources = opened.move();
  return { place, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** The cookie of a session. */
export async function signInTo(place: Place, email: string): Promise<string> {
  await using app = await openInstallation(place);
  const client = { network: `bench-${email}`, userAgent: 'bench' };
  const { token } = await signIn(app.contextFor(system), { email, password, client });
  return `podstead_session=${token}`;
}
