import { createHash } from 'node:crypto';
import { system } from '../../server/src/domain/foundation/principal.ts';
import { sweepFiles } from '../../server/src/domain/service/files/index.ts';
import type { BlobStore } from '../../server/src/platform/blob-store/blob-store.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';
import type { Findings } from './findings.ts';
import { origin, secret } from './fleet.ts';

const laterMs = 3 * 24 * 3_600_000;
const folders = ['audio', 'images', 'imports', 'uploads'];
const idForm = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

interface Named {
  readonly key: string;
  readonly sha256: string | null;
  readonly size_bytes: string;
}

/**
 * Compares rows and files of an installation on disk that no process uses: each file that a row names
 * is whole, and after the days for which unreferenced files stay, there are no others.
 */
export async function inspectFiles(place: Place, findings: Findings): Promise<void> {
  const settings = { ...place.settings, SECRET: secret, BASE_URL: origin };
  const clock = { now: () => new Date(Date.now() + laterMs) };
  await using app = await openInstallation({ ...place, settings }, { clock });
  const ctx = app.contextFor(system);
  const rows = async <T extends object>(text: string): Promise<T[]> =>
    (await app.database.pool.query<T>(text)).rows;
  const swept = await sweepFiles(ctx);
  findings.count('unreferenced files and leftovers removed', swept.strays + swept.leftovers);
  const again = await sweepFiles(ctx, { dryRun: true });
  if (again.strays + again.leftovers > 0)
    findings.problem(
      `after a sweep, ${again.strays} files and ${again.leftovers} leftovers remain`,
    );

  const named = await rows<Named>(
    `select blob_key as key, sha256, size_bytes from audio_files where blob_key is not null
     union all select blob_key, sha256, size_bytes from audio_replacements`,
  );
  for (const { key, sha256, size_bytes } of named) {
    const found = await hashBlob(ctx.blobs, key).catch(() => undefined);
    if (found === undefined) findings.problem(`${key} is named and missing`);
    else if (found.bytes !== Number(size_bytes) || (sha256 !== null && found.sha256 !== sha256))
      findings.problem(`${key} has ${found.bytes} bytes and another hash`);
  }
  findings.count('files of audio compared', named.length);
  const known = await rows<{ id: string }>(
    'select id::text from images union all select id::text from uploads union all select id::text from imports',
  );
  const ids = new Set([
    ...known.map(({ id }) => id),
    ...named.map(({ key }) => idForm.exec(key)?.[0] ?? ''),
  ]);
  for (const folder of folders) {
    for await (const batch of ctx.blobs.list(folder)) {
      for (const { key } of batch)
        if (!ids.has(idForm.exec(key)?.[0] ?? '')) findings.problem(`nothing names ${key}`);
    }
  }
}

async function hashBlob(
  blobs: BlobStore,
  key: string,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of await blobs.read(key)) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { sha256: hash.digest('hex'), bytes };
}
