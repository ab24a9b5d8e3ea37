import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { explain } from '../../../../test/explain.ts';
import { makeEpisode, makePodcast } from '../../../../test/make.ts';
import { newId } from '../../../lib/uuid.ts';
import { transact } from '../../foundation/context.ts';
import {
  archiveEpisode,
  deleteEpisode,
  type Episode,
  type NewEpisode,
  unpublishEpisode,
  updateEpisode,
} from '../../publishing/episodes/index.ts';
import { type NewPodcast, type Podcast, updatePodcast } from '../../publishing/podcasts/index.ts';
import {
  changeSegments,
  removeTranscript,
  type Segment,
  setTranscript,
} from '../../publishing/transcripts/index.ts';
import { findPublicPodcast } from '../catalogue/index.ts';
import { indexEpisodes, parseSearch, queueAllEpisodes, searchEpisodes } from './index.ts';
import { parts } from './search-blocks.ts';
import {
  selectFound,
  selectNewestFound,
  selectPlaces,
  selectWithPhrases,
} from './search-episodes.sql.ts';
import { prefixOf } from './words.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

async function search(show: Podcast, words: string) {
  const found = await findPublicPodcast(test.ctx, show.id);
  if (found === undefined) throw new Error('the show is missing');
  return searchEpisodes(test.ctx, found, parseSearch(words));
}

/** What a search has found: titles, and what is quoted, with the matches in brackets. */
async function find(show: Podcast, words: string): Promise<string[]> {
  const write = (text: readonly { text: string; isMatch: boolean }[]) =>
    text.map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text)).join('');
  return (await search(show, words)).map(({ title, quote }) =>
    quote === undefined ? write(title) : `${write(title)}: ${write(quote.text)}`,
  );
}

const index = () => indexEpisodes(test.ctx);

async function makeShow(input: Partial<NewPodcast> = {}): Promise<Podcast> {
  return makePodcast(test.ctx, { language: 'en', ...input });
}

async function speak(episode: Episode, lines: readonly (readonly [string, string])[]) {
  const segments: Segment[] = lines.map(([speaker, text], n) => ({
    startMs: n * 10_000,
    endMs: (n + 1) * 10_000,
    speaker,
    text,
  }));
  const transcript = { segments, language: 'en', wordCount: 1, durationMs: 60_000 };
  await setTranscript(test.ctx, episode.id, transcript);
}

async function makeSpoken(
  show: Podcast,
  input: Partial<NewEpisode>,
  ...lines: (readonly [string, string])[]
): Promise<Episode> {
  const episode = await makeEpisode(test.ctx, show, { publishTranscript: true, ...input });
  await speak(episode, lines);
  return episode;
}

/**
 * 70 episodes that say this, the oldest one also `rare`. The oldest one has `cod` in its title, two in their notes. The
 * newest one has no public transcript, and the one before is not indexed again yet.
 */
async function makeFrequent(text: string): Promise<Podcast> {
  const show = await makeShow();
  const start = test.clock.now().getTime() - 10 * 3_600_000;
  const episodes: Episode[] = [];
  for (let n = 0; n < 70; n += 1) {
    const input = {
      title: n === 0 ? 'Old cod' : `Number ${n}`,
      description: n === 5 || n === 30 ? 'A cod.' : '',
      publishedAt: new Date(start + n * 60_000),
      publishTranscript: n < 69,
    };
    const lines = [...(n === 0 ? ['Rare.'] : []), text];
    episodes.push(await makeSpoken(show, input, ...lines.map((line) => ['Ana', line] as const)));
  }
  await index();
  await updateEpisode(test.ctx, episodes[68]?.id ?? '', { title: 'Changed' });
  return show;
}

// PAGE-20
describe('searchEpisodes', () => {
  it('a search finds titles, then notes, then transcripts, each from the newest', async () => {
    const show = await makeShow();
    const at = (hour: number) => new Date(test.clock.now().getTime() - hour * 3_600_000);
    await makeSpoken(show, { title: 'Spoken', publishedAt: at(1) }, ['Ana', 'I saw a whale.']);
    await makeEpisode(test.ctx, show, {
      title: 'Notes',
      description: 'A whale.',
      publishedAt: at(2),
    });
    await makeEpisode(test.ctx, show, { title: 'Old whales', publishedAt: at(4) });
    await makeEpisode(test.ctx, show, { title: 'The whale', publishedAt: at(3) });
    await makeEpisode(test.ctx, show, { title: 'Another', publishedAt: at(5) });
    await index();
    expect(await find(show, 'whale')).toEqual([
      'The [whale]',
      'Old [whales]',
      'Notes: A [whale].',
      'Spoken: I saw a [whale].',
    ]);
  });

  it('a hit in a transcript has its sentence, speaker and time', async () => {
    const show = await makeShow();
    await makeSpoken(
      show,
      { title: 'Sea' },
      ['Ana', 'Welcome back.'],
      ['Bo', 'We went out at night. Then we heard the'],
      ['Bo', 'humpbacks singing, and nobody spoke. That was it.'],
      ['Ana', 'And then?'],
    );
    await index();
    const [hit] = await search(show, 'humpback sang');
    expect(hit).toBeUndefined();
    const [found] = await search(show, 'humpback singing');
    expect(found?.quote?.spoken).toEqual({ startMs: 10_000, speaker: 'Bo' });
    expect(await find(show, 'humpback singing')).toEqual([
      'Sea: Then we heard the [humpbacks] [singing], and nobody spoke.',
    ]);
  });

  it('a search finds the place where its words are closest', async () => {
    const show = await makeShow();
    const lines = Array.from(
      { length: 40 },
      (_, n) => ['Ana', `The red boat number ${n}.`] as const,
    );
    await makeSpoken(show, { title: 'Boats' }, ...lines, ['Ana', 'A green boat.'], ['Ana', 'End.']);
    await index();
    expect(await find(show, 'green boat')).toEqual(['[Boats]: A [green] [boat].']);
    expect(await find(show, '"boat number 7"')).toEqual(['[Boats]: The red [boat] [number] [7].']);
    expect(await find(show, '"number boat"')).toEqual([]);
  });

  it('what is not public is not found', async () => {
    const show = await makeShow();
    const word = { description: 'The zebra.' };
    const soon = new Date(test.clock.now().getTime() + 3_600_000);
    await makeEpisode(test.ctx, show, { ...word, status: 'draft' });
    await makeEpisode(test.ctx, show, { ...word, status: 'scheduled', scheduledFor: soon });
    const archived = await makeEpisode(test.ctx, show, word);
    await archiveEpisode(test.ctx, archived.id);
    const withdrawn = await makeEpisode(test.ctx, show, word);
    await unpublishEpisode(test.ctx, withdrawn.id);
    const deleted = await makeEpisode(test.ctx, show, word);
    await makeSpoken(show, { publishTranscript: false }, ['Ana', 'The zebra.']);
    await makeEpisode(test.ctx, await makeShow(), word);
    await index();
    await deleteEpisode(test.ctx, deleted.id);
    expect(await find(show, 'zebra')).toEqual([]);
    test.clock.set(soon);
    expect(await search(show, 'zebra')).toHaveLength(1);
  });

  it('what was removed is not found any more, also before it is indexed', async () => {
    const show = await makeShow();
    const one = await makeSpoken(show, { title: 'Lions', description: 'X' }, [
      'Ana',
      'The password is swordfish.',
    ]);
    await index();
    expect(await search(show, 'swordfish')).toHaveLength(1);
    await updateEpisode(test.ctx, one.id, { publishTranscript: false });
    expect(await search(show, 'swordfish')).toEqual([]);
    await updateEpisode(test.ctx, one.id, { publishTranscript: true });
    expect(await search(show, 'swordfish')).toHaveLength(1);
    await changeSegments(
      test.ctx,
      one.id,
      () => (some) => some.map((segment) => ({ ...segment, text: 'The password is secret.' })),
    );
    expect(await search(show, 'swordfish')).toEqual([]);
    await index();
    expect(await search(show, 'swordfish')).toEqual([]);
    expect(await search(show, 'secret')).toHaveLength(1);
    await updateEpisode(test.ctx, one.id, { title: 'Tigers' });
    await removeTranscript(test.ctx, one.id);
    expect(await search(show, 'lions')).toEqual([]);
    await index();
    expect(await search(show, 'lions')).toEqual([]);
    expect(await search(show, 'secret')).toEqual([]);
    expect(await find(show, 'tiger')).toEqual(['[Tigers]']);
  });

  it('accents, case and forms of words do not matter, and the last word may go on', async () => {
    const show = await makeShow({ language: 'fr' });
    await makeEpisode(test.ctx, show, { title: 'Les élèves mangeaient à Noël' });
    await index();
    for (const words of ['ELEVES', 'élève', 'noel', 'manger', 'mangea', 'no', 'l’élève'])
      expect(await search(show, words), words).toHaveLength(1);
    expect(await search(show, 'baleine noel')).toEqual([]);
  });

  it('a word of every sentence counts only if there is no other', async () => {
    const show = await makeShow();
    await makeEpisode(test.ctx, show, { title: 'History of Rome' });
    await makeEpisode(test.ctx, show, { title: 'The Who' });
    await index();
    expect(await find(show, 'the history ')).toEqual(['[History] of Rome']);
    expect(await find(show, 'the who ')).toEqual(['[The] [Who]']);
  });

  it.each([
    ['ja', '東京の夜に鯨を見た', '鯨', '東京の夜に[鯨]を見た'],
    ['ja', 'ポッドキャストの始め方', 'ポッドキャスト', '[ポッドキャスト]の始め方'],
    ['th', 'ประเทศไทยสวยงาม', 'สวย', 'ประเทศไทย[สวยงาม]'],
    ['zh', '我们在北京看到了鲸鱼', '北京', '我们在[北京]看到了鲸鱼'],
    ['ar', 'كِتَابُ الحِيتان في البحر', 'كتاب', '[كِتَابُ] الحِيتان في البحر'],
    ['he', 'הַלְּוָיתָן הגדול', 'הלויתן', '[הַלְּוָיתָן] הגדול'],
    ['ru', 'Ещё о китах', 'еще киты', undefined],
    ['hi', 'समुद्र की कहानियाँ', 'समुद्र', '[समुद्र] की कहानियाँ'],
    ['tr', 'İstanbul geceleri', 'istanbul', '[İstanbul] geceleri'],
    ['de', 'Straßen und Häuser', 'strasse haus', '[Straßen] und [Häuser]'],
    ['eo', 'Ĉiuj baleno', 'ciuj', '[Ĉiuj] baleno'],
  ])('%s: %s is found by %s', async (language, title, words, marked) => {
    const show = await makeShow({ language });
    await makeEpisode(test.ctx, show, { title });
    await makeEpisode(test.ctx, show, { title: 'Other' });
    await index();
    const found = await find(show, words);
    expect(found).toHaveLength(1);
    if (marked !== undefined) expect(found).toEqual([marked]);
  });

  it('hostile searches neither fail nor find anything', async () => {
    const show = await makeShow();
    await makeEpisode(test.ctx, show, { title: 'Quiet' });
    await index();
    const odd = [
      ...["'", '"', '\\', ':*', '&', '|', '!', '<->', '()', '%', '\0', "quiet'", 'a'.repeat(5_000)],
      ...['word '.repeat(10_000), '"'.repeat(200), '\ud800', '\u200d', '🐋', 'ก'.repeat(5_000)],
      ...[
        "' | 'quiet",
        '!qqq',
        'qqq | quiet',
        'q\u0000uiet',
        '-quiet',
        Array(100).fill('x').join(' '),
      ],
    ];
    const found = ["quiet'", '-quiet', "' | 'quiet"];
    for (const words of odd)
      expect(await search(show, words), JSON.stringify(words.slice(0, 20))).toHaveLength(
        found.includes(words) ? 1 : 0,
      );
  });

  it('a changed language and a restored backup are indexed again', async () => {
    const show = await makeShow();
    await makeEpisode(test.ctx, show, { title: 'Häuser' });
    await index();
    expect(await search(show, 'haus ')).toEqual([]);
    await updatePodcast(test.ctx, show.id, { language: 'de' });
    await index();
    expect(await search(show, 'haus ')).toHaveLength(1);
    await queueAllEpisodes(test.ctx.db);
    expect(await search(show, 'haus ')).toEqual([]);
    expect(await index()).toBeGreaterThan(0);
    expect(await search(show, 'haus ')).toHaveLength(1);
  });

  it('a search finds at most 50 episodes', async () => {
    const show = await makeShow();
    for (let n = 0; n < 55; n += 1) await makeEpisode(test.ctx, show, { title: `Gull ${n}` });
    await index();
    expect(await search(show, 'gulls')).toHaveLength(50);
  });

  it('long texts are found in every part', async () => {
    const show = await makeShow();
    const text = (word: string) => `${'lorem ipsum dolor '.repeat(1_000)}${word} sit amet.`;
    const one = await makeEpisode(test.ctx, show, {
      title: 'Long',
      description: text('kestrel'),
      publishTranscript: true,
    });
    const lines = Array.from(
      { length: 500 },
      (_, n) => ['', `${text('').slice(0, 300)} at${n}`] as const,
    );
    await speak(one, lines);
    await index();
    const [inNotes] = await find(show, 'kestrel');
    expect(inNotes).toContain('[kestrel] sit amet.');
    const [spoken] = await search(show, 'at437 ');
    expect(spoken?.quote?.spoken?.startMs).toBeGreaterThan(4_300_000);
    expect((await find(show, 'at437 '))[0]).toContain('[at437]');
  });

  // Comparing all blocks that have the words took 1.2 s in a show of 2,000 hours.
  it('a phrase is compared only with the blocks that were chosen, whatever the planner prefers', async () => {
    const plan = await transact(test.ctx, async ({ db }) => {
      await sql`select set_config('enable_nestloop', 'off', true),
        set_config('enable_seqscan', 'off', true)`.execute(db);
      const blocks = [{ episodeId: newId(), part: parts.transcript, block: 0 }];
      return await explain(db, async (explained) => {
        await selectWithPhrases(explained, blocks, "'lamp' <-> 'post'");
      });
    });
    expect(plan).toMatch(/Filter: \(t\.words @@ .* <-> /);
    expect(plan).not.toMatch(/Cond: .* <-> /);
  });

  it.each(['cod ', 'co', 'fresh cod ', '"fresh cod"'])(
    'frequent words (%s) are found in titles, then notes, then transcripts, each from the newest',
    async (words) => {
      const show = await makeFrequent('Fresh cod here.');
      const titles = (await search(show, words)).map(({ episode }) => episode.title);
      const inTexts = words.startsWith('co') ? ['Old cod', 'Number 30', 'Number 5'] : [];
      const spoken = Array.from({ length: 68 }, (_, n) => `Number ${67 - n}`);
      const inTranscripts = spoken.filter((title) => !inTexts.includes(title));
      expect(titles).toEqual([...inTexts, ...inTranscripts].slice(0, 50));
    },
  );

  it.each([true, false])(
    'whether words are frequent decides nothing (every block: %s)',
    async (everyBlock) => {
      const show = await makeFrequent('Fresh cod here.');
      const now = test.clock.now();
      const options = { podcastId: show.id, everyBlock, limit: 50, now };
      const find = { ...options, tsquery: `'${prefixOf(show.id)}cod'` };
      const newest = await selectNewestFound(test.ctx.db, find);
      expect(newest).toHaveLength(50);
      expect(newest).toEqual(await selectFound(test.ctx.db, find));
      const rare = { ...options, tsquery: `'${prefixOf(show.id)}rare'` };
      expect(await selectNewestFound(test.ctx.db, rare)).toEqual([]);
      expect(await selectFound(test.ctx.db, rare)).toHaveLength(1);
    },
  );

  it('a word of more episodes than are looked up is found in the newest that may be found', async () => {
    const show = await makeShow();
    const episodes: Episode[] = [];
    for (let n = 0; n < 310; n += 1)
      episodes.push(await makeEpisode(test.ctx, show, { publishTranscript: n !== 305 }));
    await sql`insert into search_texts (episode_id, podcast_id, part, block, words)
      select id, podcast_id, ${parts.transcript}::integer, 0, ${`${prefixOf(show.id)}cod`}::tsvector
      from episodes where podcast_id = ${show.id}`.execute(test.ctx.db);
    await sql`delete from search_queue where episode_id <> ${episodes[307]?.id}`.execute(
      test.ctx.db,
    );
    const now = test.clock.now();
    const tsquery = `${prefixOf(show.id)}cod`;
    const find = { podcastId: show.id, tsquery, everyBlock: false, limit: 50, now };
    const newest = episodes.map(({ id }) => id).reverse();
    const mayBeFound = newest.filter((_, n) => n !== 309 - 305 && n !== 309 - 307);
    const found = await selectFound(test.ctx.db, find);
    expect(found.map(({ episodeId }) => episodeId)).toEqual(mayBeFound.slice(0, 50));
    // Fewer than fill the results.
    const spoken = mayBeFound.slice(270);
    await sql`update episodes set publish_transcript = id = any (${spoken}::uuid[])
      where podcast_id = ${show.id}`.execute(test.ctx.db);
    await sql`delete from search_queue`.execute(test.ctx.db);
    const fewer = await selectFound(test.ctx.db, find);
    expect(fewer.map(({ episodeId }) => episodeId)).toEqual(spoken);
  });

  it.each([
    [
      'cod',
      [
        [1, 2, 4],
        [1, 4],
      ],
    ],
    ['cods', [[1, 4]]],
    ['codz', []],
  ] as const)('the places of words that begin with %s are found', async (beginning, matches) => {
    const show = await makeShow();
    const { id } = await makeSpoken(show, {}, ['Ana', 'Cods, cod and cods; the herring.']);
    await index();
    const block = { episodeId: id, part: parts.transcript, block: 0 };
    const prefix = prefixOf(show.id);
    const lexemes = beginning === 'cod' ? [`${prefix}cod`] : [];
    const wanted = { lexemes, beginning: prefix + beginning };
    const [place] = await selectPlaces(test.ctx.db, [block], wanted);
    expect(place).toEqual({ episodeId: id, matches });
  });

  it('two indexers and a change at once leave nothing outdated', async () => {
    const show = await makeShow();
    const episodes: Episode[] = [];
    for (let n = 0; n < 10; n += 1)
      episodes.push(await makeEpisode(test.ctx, show, { title: `Before ${n}`, description: 'X' }));
    const change = async () => {
      for (const { id } of episodes) await updateEpisode(test.ctx, id, { title: 'After' });
    };
    await Promise.all([index(), change(), index()]);
    await index();
    expect(await search(show, 'before')).toEqual([]);
    expect(await search(show, 'after')).toHaveLength(10);
  });
});
