import { expect, it } from 'vitest';
import { writeTestFeed } from '../../../../../test/hosts/podcast-host.ts';
import { parseFeed } from '../../../../../test/parse-feed.ts';
import { toPodcastFields } from './podcast-fields.ts';

async function fieldsOf(channel: string) {
  const { podcast } = await parseFeed(writeTestFeed({ channel, usual: '', items: [] }));
  const { title, complete, itunesBlock, extraElements, ...fields } = toPodcastFields(podcast);
  return fields;
}

it.each([
  ['<language>en_us</language>', { language: 'en-US' }],
  ['<language>de-DE</language>', { language: 'de-DE' }],
  ['<language>Klingon, mostly</language>', {}],
  ['<itunes:explicit>yes</itunes:explicit>', { explicit: true }],
  ['<itunes:explicit>perhaps</itunes:explicit>', {}],
  ['<link>https://example.com/</link>', { websiteUrl: 'https://example.com/' }],
  ['<link>https://example.com/?token=hush</link>', {}],
  [
    '<itunes:owner><itunes:name>Ana</itunes:name><itunes:email>no address</itunes:email></itunes:owner>',
    { ownerName: 'Ana' },
  ],
  [
    '<podcast:funding url="https://example.com/give">Give</podcast:funding>',
    { fundingUrl: 'https://example.com/give', fundingText: 'Give', otherFunding: [] },
  ],
  [
    '<podcast:funding url="https://a.example/?token=hush">Mine</podcast:funding>' +
      '<podcast:funding url="https://b.example/">B</podcast:funding>' +
      '<podcast:funding url="https://c.example/"/>',
    {
      fundingUrl: 'https://b.example/',
      fundingText: 'B',
      otherFunding: [{ url: 'https://c.example/', text: null }],
    },
  ],
  [
    '<itunes:category text="Arts"><itunes:category text="Food"/></itunes:category>' +
      '<itunes:category text="News"/>',
    {
      category: 'Arts',
      subcategory: 'Food',
      otherCategories: [{ category: 'News', subcategory: null }],
    },
  ],
  ['<podcast:medium>musicL</podcast:medium>', { medium: 'musicL' }],
  [`<copyright>${'©'.repeat(600)}</copyright>`, { copyright: `${'©'.repeat(499)}…` }],
  ['<description>  </description>', {}],
])('%s', async (channel, expected) => {
  expect(await fieldsOf(channel)).toEqual(expected);
});

it.each([
  ['', { complete: false, itunesBlock: false }],
  ['<itunes:complete>Yes</itunes:complete>', { complete: true, itunesBlock: false }],
  ['<itunes:block>yes</itunes:block>', { complete: false, itunesBlock: true }],
  ['<itunes:block>no</itunes:block>', { complete: false, itunesBlock: false }],
])('always sets whether the show is complete and blocked: %s', async (channel, expected) => {
  const { podcast } = await parseFeed(writeTestFeed({ channel, usual: '', items: [] }));
  expect(toPodcastFields(podcast)).toMatchObject(expected);
});
