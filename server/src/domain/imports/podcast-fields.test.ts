import { expect, it } from 'vitest';
import { parseFeed } from './feed/parse-feed.ts';
import { toPodcastFields } from './podcast-fields.ts';
import { writeTestFeed } from './podcast-host-for-test.ts';

async function fieldsOf(channel: string) {
  const { podcast } = await parseFeed(writeTestFeed({ channel, items: [] }));
  const { title: _, ...fields } = toPodcastFields(podcast);
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
    { fundingUrl: 'https://example.com/give', fundingText: 'Give' },
  ],
  [`<copyright>${'©'.repeat(600)}</copyright>`, { copyright: `${'©'.repeat(499)}…` }],
  ['<description>  </description>', {}],
])('%s', async (channel, expected) => {
  expect(await fieldsOf(channel)).toEqual(expected);
});
