import { expect, it } from 'vitest';
import { MemoryDraftStore } from '../../test/editor/memory-draft-store.ts';
import { applyEdits, startDraft } from './draft.ts';
import { purgeDrafts } from './purge-drafts.ts';

const day = 24 * 60 * 60 * 1000;
const now = 100 * day;

it('removes old drafts that equal the server’s state, and no others', async () => {
  const store = new MemoryDraftStore();
  const started = (at: number) => startDraft({ revision: 1, fields: { title: 'Pilot' } }, at);
  const edited = (at: number, to: string) =>
    applyEdits(started(at), [{ field: 'title', from: 'Pilot', to }], at);
  const drafts = {
    oldSaved: started(now - 31 * day),
    newSaved: started(now - 29 * day),
    oldUnsaved: edited(now - 31 * day, 'Mine'),
    oldSavedElsewhere: edited(now - 31 * day, 'On the server'),
    oldOffline: edited(now - 31 * day, 'Offline'),
    oldUnasked: edited(now - 31 * day, 'On the server'),
  };
  for (const [subjectId, draft] of Object.entries(drafts)) {
    await store.update({ userId: 'ann', subjectId }, () => draft);
  }
  await store.update({ userId: 'bo', subjectId: 'oldSaved' }, () => drafts.oldSaved);
  const loaded = { kind: 'loaded', revision: 9, fields: { title: 'On the server' } } as const;
  const serverOf = (subjectId: string) => {
    if (subjectId === 'oldUnasked') return undefined;
    return {
      load: async () => (subjectId === 'oldOffline' ? { kind: 'offline' as const } : loaded),
    };
  };
  await purgeDrafts({ userId: 'ann', store, serverOf, now });
  const left = (await store.list('ann')).map(({ key }) => key.subjectId);
  expect(left).toEqual(['newSaved', 'oldUnsaved', 'oldOffline', 'oldUnasked']);
  expect(await store.list('bo')).toHaveLength(1);
});
