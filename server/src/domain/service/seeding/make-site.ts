import { approveConnection, createUnregisteredSiteKey } from '../../exchange/sites/index.ts';
import type { User } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import type { MadePodcast } from './make-podcast.ts';
import { readAddresses } from './read-site.ts';
import type { SiteEntry } from './schema.ts';
import { getByRef } from './seed-inputs.ts';

/** The only place that shows the code of a connection, or the secret of an unregistered key. */
export type MadeSite =
  | { readonly code: string }
  | { readonly keyId: string; readonly secret: string };

/** Approves a connection, or makes an unregistered key. */
export async function makeSite(
  ctx: Context,
  entry: SiteEntry,
  made: {
    readonly users: ReadonlyMap<string, User>;
    readonly podcasts: ReadonlyMap<string, MadePodcast>;
  },
): Promise<MadeSite> {
  const wanted = {
    userId: getByRef(made.users, entry.user).id,
    podcastIds: entry.podcasts.map((ref) => getByRef(made.podcasts, ref).id),
    transcripts: entry.transcripts ?? false,
  };
  if (entry.flow === 'code') {
    const { code } = await approveConnection(ctx, { ...readAddresses(entry), ...wanted });
    return { code };
  }
  const { id, secret } = await createUnregisteredSiteKey(ctx, wanted);
  return { keyId: id, secret };
}
