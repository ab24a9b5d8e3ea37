import { describe, expect, it } from 'vitest';
import { describeOtherSecret, secretCheckOf } from './other-secret.ts';

const [ours, theirs] = [{ tagKey: Buffer.from('ours') }, { tagKey: Buffer.from('theirs') }];
const manifestOf = (rows: Readonly<Record<string, number>>, check = secretCheckOf(theirs)) => ({
  secret_check: check,
  tables: Object.entries(rows).map(([name, count]) => ({
    ...{ name, rows: count, columns: ['x'], digest: '', parts: [] },
  })),
});

// BACKUP-10
describe('describeOtherSecret', () => {
  it('names what depends on it in this backup, and nothing else', () => {
    const some = manifestOf({ preview_links: 2, invitations: 0, api_keys: 5, download_logs: 1 });
    expect(describeOtherSecret(some, ours)).toBe(
      'SECRET is not that of the backup: preview links end and access logs that were read before are counted once more.',
    );
  });

  it.each([
    ['the secret is the same', manifestOf({ preview_links: 2 }, secretCheckOf(ours))],
    ['nothing depends on it', manifestOf({ preview_links: 0, api_keys: 5 })],
  ])('says nothing if %s', (_what, manifest) => {
    expect(describeOtherSecret(manifest, ours)).toBeUndefined();
  });
});
