import Type from 'typebox';
import { type OwnData, readOwnData } from '../../../domain/service/departure/index.ts';
import { utcDayOf } from '../../../lib/utc-day.ts';
import { serializerFor } from '../../responses/serializers.ts';
import { clientLeaves } from '../../responses/while-awaited.ts';
import { writeItems } from '../../responses/write-items.ts';
import { defineEndpoint } from '../endpoint.ts';
import { moment, named } from '../field-schemas.ts';
import type { SignedInRequester } from '../requester.ts';
import { ok, piecesResponse, written } from '../response.ts';
import { EmailChoices, Me, presentAccount, presentEmailChoices } from './account-endpoints.ts';
import { ListedImport, presentImport } from './imports-endpoints.ts';
import { Key, presentKey } from './keys-endpoints.ts';
import { MyPodcast, presentMyPodcast } from './podcasts-endpoints.ts';
import { presentSession, Session } from './sessions-endpoints.ts';
import { presentSite, Site } from './sites-endpoints.ts';

const AccountExport = named('AccountExport', {
  exported_at: moment,
  user: Me.properties.user,
  account: Me.properties.account,
  podcasts: Type.Array(MyPodcast),
  sessions: Type.Array(Session),
  keys: Type.Array(Key),
  sites: Type.Array(Site),
  imports: Type.Array(ListedImport),
  emails: EmailChoices,
});

const writePodcast = serializerFor(MyPodcast);
const writeSession = serializerFor(Session);
const writeKey = serializerFor(Key);
const writeSite = serializerFor(Site);
const writeImport = serializerFor(ListedImport);

/** Written in pieces, because a user may work on ten thousand shows. */
async function writeOwnData(
  requester: SignedInRequester,
  data: OwnData,
  now: Date,
): Promise<Buffer[]> {
  const { user, account } = presentAccount(requester, data.account);
  const { id: sessionId } = requester.session;
  const text = (value: unknown) => [Buffer.from(JSON.stringify(value))];
  const fields: Record<keyof typeof AccountExport.properties, Buffer[]> = {
    exported_at: text(now),
    user: text(user),
    account: text(account),
    podcasts: await writeItems(data.podcasts, (show) => writePodcast(presentMyPodcast(show))),
    sessions: await writeItems(data.sessions, (session) =>
      writeSession(presentSession(session, sessionId)),
    ),
    keys: await writeItems(data.keys, (key) => writeKey(presentKey(key, now))),
    sites: await writeItems(data.sites, (site) => writeSite(presentSite(site))),
    imports: await writeItems(data.imports, (found) => writeImport(presentImport(found))),
    emails: text(presentEmailChoices(data.unwantedEmails)),
  };
  const pieces = Object.entries(fields).flatMap(([name, value], index) => [
    Buffer.from(`${index === 0 ? '' : ','}"${name}":`),
    ...value,
  ]);
  return [Buffer.from('{"data":{'), ...pieces, Buffer.from('}}')];
}

export const accountExportRoute = defineEndpoint('GET /app/api/account/export', {
  id: 'exportAccount',
  summary: 'Everything stored about the user, except their shows',
  response: written(ok(AccountExport).responses),
  async handle(caller, { http, request, reply }) {
    const now = caller.ctx.clock.now();
    const name = `account-${utcDayOf(now)}.json`;
    const { userId } = caller.session;
    const pieces = await http.longReads.run(userId, clientLeaves(reply), async () =>
      writeOwnData(caller, await readOwnData(caller.ctx), now),
    );
    const disposition = `attachment; filename="${name}"`;
    return piecesResponse(request, pieces, { 'Content-Disposition': disposition });
  },
});
