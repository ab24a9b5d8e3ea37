import { type Key, listKeys } from '../../access/keys/index.ts';
import { listSessions, type Session } from '../../access/sessions/index.ts';
import { type ListedImport, listImports } from '../../exchange/imports/index.ts';
import { type ListedSite, listSites } from '../../exchange/sites/index.ts';
import {
  type Account,
  getOwnAccount,
  getUser,
  type User,
} from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { listUnwantedEmails, type OptionalEmail } from '../../foundation/emails/index.ts';
import { requireUser } from '../../foundation/principal.ts';
import { listMyPodcasts, type MyPodcast } from '../../publishing/podcasts/index.ts';

/** What the service knows of a user, apart from their shows, which have exports of their own. */
export interface OwnData {
  readonly user: User;
  readonly account: Account;
  readonly podcasts: readonly MyPodcast[];
  readonly sessions: readonly Session[];
  readonly keys: readonly Key[];
  readonly sites: readonly ListedSite[];
  readonly imports: readonly ListedImport[];
  readonly unwantedEmails: readonly OptionalEmail[];
}

const pageSize = 100;

export async function readOwnData(ctx: Context): Promise<OwnData> {
  const userId = requireUser(ctx);
  return {
    user: await getUser(ctx, userId),
    account: await getOwnAccount(ctx),
    podcasts: await all((after: PositionOf<typeof listMyPodcasts>) =>
      listMyPodcasts(ctx, { limit: pageSize, after }),
    ),
    sessions: await listSessions(ctx),
    keys: await listKeys(ctx, userId),
    sites: await all((after: PositionOf<typeof listSites>) =>
      listSites(ctx, { userId, limit: pageSize, after }),
    ),
    imports: await all((after: PositionOf<typeof listImports>) =>
      listImports(ctx, { limit: pageSize, after }),
    ),
    unwantedEmails: await listUnwantedEmails(ctx),
  };
}

type PositionOf<List extends (...input: never[]) => Promise<{ next: unknown }>> = Awaited<
  ReturnType<List>
>['next'];

/** Reads every page of a list. */
async function all<Item, Position>(
  read: (after: Position | undefined) => Promise<{
    readonly items: readonly Item[];
    readonly next: Position | undefined;
  }>,
): Promise<Item[]> {
  const items: Item[] = [];
  let after: Position | undefined;
  do {
    const page = await read(after);
    items.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return items;
}
