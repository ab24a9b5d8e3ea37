import { describe, expect, it } from 'vitest';
import { openClients } from './open-clients.ts';

const { identify } = await openClients(undefined);

describe('a client that is on no list', () => {
  it.each([
    'Listen Notes Bot/1.0',
    'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
    'Mozilla/5.0 (compatible; SomethingBot/2.1; +https://example.com/about) Chrome/126.0 Safari/537.36',
    'example-crawler/3',
    'MyPodcastCrawler (okhttp/4.12.0)',
    'NewSpider',
    'something_spider 1',
    'TRANSCRIBERBOT/1.0',
    'newbot',
    'BotOfExample/1',
    'Example/1.0 (+https://example.com/bot.html)',
  ])('a client that is on no list is a bot if it says so: %s', (userAgent) => {
    expect(identify(userAgent)).toEqual({ kind: 'bot', app: 'unknown', device: 'unknown' });
  });

  it.each([
    'Dalvik/2.1.0 (Linux; U; Android 9; CUBOT_X19 Build/PPR1)',
    'Mozilla/5.0 (Linux; Android 10; CUBOT NOTE 20) AppleWebKit/537.36 Chrome/96.0 Mobile Safari/537.36',
    'stagefright/1.2 (Linux;Android 11; Cubot KingKong)',
    'Robot Radio/1.0',
    'iRobotPods/3 CFNetwork/1408.0.4 Darwin/22.5.0',
    'Spotlight/4',
    'Botanica/1.2',
    'Spiderman Podcasts/1',
    'Crawl/2',
    'Bottle Rocket/1',
    'Abbott/1',
  ])('a client that is on no list is not a bot if a word only looks like it: %s', (userAgent) => {
    expect(identify(userAgent).kind).not.toBe('bot');
  });
});

it('an app of the lists stays one, whatever it says', () => {
  expect(identify('Overcast/3.0 (+http://overcast.fm/; iOS podcast app; bot)').kind).toBe('app');
});
