import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Provenance, visibleFingerprints } from './visible-fingerprints.ts';

const imported: Provenance = {
  guidSha256: 'g',
  enclosureSha256: 'e',
  sourceGuid: 'tag:example.com,2020:1',
  feedGuid: 'tag:example.com,2020:1',
  isPublic: true,
};
const secretGuid = 'https://example.com/1?token=abc';

// PRINT-15, PRINT-16
describe('visibleFingerprints', () => {
  it.each<[string, Partial<Provenance>, [string | null, string | null, string | null]]>([
    ['a public episode', {}, ['g', 'e', 'tag:example.com,2020:1']],
    ['one not public yet', { isPublic: false }, ['g', null, null]],
    [
      'a source GUID with a credential',
      { sourceGuid: secretGuid, feedGuid: 'id' },
      [null, 'e', null],
    ],
    [
      'the same, not public',
      { sourceGuid: secretGuid, feedGuid: 'id', isPublic: false },
      [null, null, null],
    ],
    ['a feed GUID with a credential', { feedGuid: secretGuid }, ['g', 'e', null]],
    [
      'an episode made here',
      { guidSha256: null, enclosureSha256: null, sourceGuid: null, feedGuid: 'id' },
      [null, null, 'id'],
    ],
    ['a rejected enclosure', { enclosureSha256: null }, ['g', null, 'tag:example.com,2020:1']],
  ])('%s', (_, change, [guidSha256, enclosureSha256, rssGuid]) => {
    const visible = visibleFingerprints({ ...imported, ...change });
    expect(visible).toEqual({ guidSha256, enclosureSha256, rssGuid });
  });

  it('shows only what the state of the episode allows, whatever is stored', () => {
    const secrets = [
      secretGuid,
      'https://ana:pw@example.com/1',
      'https://example.com/1#X-Amz-Signature=1',
      `svc_live_${'a'.repeat(49)}`,
    ];
    const guid = fc.oneof(fc.stringMatching(/^[a-z:/ ?]{1,20}$/), fc.constantFrom(...secrets));
    const hash = fc.option(fc.stringMatching(/^[0-9a-f]{64}$/));
    const stored = fc.record({
      guidSha256: hash,
      enclosureSha256: hash,
      sourceGuid: fc.option(guid),
      feedGuid: guid,
      isPublic: fc.boolean(),
    });
    fc.assert(
      fc.property(stored, (provenance) => {
        const visible = visibleFingerprints(provenance);
        const { guidSha256, enclosureSha256, sourceGuid, feedGuid, isPublic } = provenance;
        const isSecret = (text: string | null) => secrets.some((secret) => secret === text);
        expect(visible).toEqual({
          guidSha256: isSecret(sourceGuid) ? null : guidSha256,
          enclosureSha256: isPublic ? enclosureSha256 : null,
          rssGuid: isPublic && !isSecret(sourceGuid) && !isSecret(feedGuid) ? feedGuid : null,
        });
      }),
    );
  });
});
