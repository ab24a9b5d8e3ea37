import { describe, expect, it } from 'vitest';
import { acceptableGrowth, measureGrowth } from '../../../../../test/growth.ts';
import type { ClientKind } from '../../../foundation/context.ts';
import apps from './apps.json' with { type: 'json' };
import bots from './bots.json' with { type: 'json' };
import browsers from './browsers.json' with { type: 'json' };
import devices from './devices.json' with { type: 'json' };
import libraries from './libraries.json' with { type: 'json' };
import { rememberClients } from './open-clients.ts';
import { recognizeShippedClients } from './shipped-clients.ts';

const recognize = recognizeShippedClients();

const iPhone = 'iPhone; CPU iPhone OS 17_5 like Mac OS X';
const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0';

const userAgents: readonly (readonly [ClientKind, string, string, string])[] = [
  ['app', 'Apple Podcasts', 'Apple iPhone', 'Podcasts/1650.20 CFNetwork/1408.0.4 Darwin/22.5.0'],
  [
    'app',
    'Apple Podcasts',
    'Apple iPhone',
    '%D0%9F%D0%BE%D0%B4%D0%BA%D0%B0%D1%81%D1%82%D1%8B/1 CFNetwork/1 Darwin/2',
  ],
  ['app', 'Apple HomePod', 'Apple HomePod', 'AirPodcasts/1610.2 CFNetwork/1404 Darwin/22.3.0'],
  ['app', 'Spotify', 'Android Phone', 'Spotify/8.9.50 Android/34 (SM-S911B)'],
  ['app', 'Spotify', 'Apple iPhone', 'Spotify/8.9.50 iOS/17.5.1 (iPhone14,5)'],
  ['app', 'Overcast', 'Apple iPhone', 'Overcast/3.0 (+http://overcast.fm/; iOS podcast app)'],
  ['app', 'Overcast', 'Apple Watch', 'Overcast (+http://overcast.fm/; Apple Watch podcast app)'],
  ['app', 'Pocket Casts', 'unknown', 'Pocket Casts/7.64'],
  ['app', 'AntennaPod', 'Android Phone', 'AntennaPod/3.4.0'],
  ['app', 'Castro', 'Other Mobile Device', 'Castro 2024.3/1405'],
  ['app', 'CastBox', 'Android Phone', 'CastBox/11.7.0 (Linux;Android 13) ExoPlayerLib/2.14.2'],
  [
    'app',
    'Podcast Addict',
    'Android Phone',
    'Podcast Addict/v5 - Dalvik/2.1.0 (Linux; U; Android 14)',
  ],
  ['app', 'BBC Sounds', 'Apple iPhone', 'BBC%20Sounds/2.30.0 CFNetwork/1408 Darwin/22.5.0'],
  ['app', 'Amazon Music', 'unknown', 'AmazonMusic/24.9.0'],
  ['app', 'iTunes', 'Apple Computer', 'iTunes/12.12.4 (Macintosh; OS X 12.3.1) AppleWebKit/613.1'],
  [
    'library',
    'AppleCoreMedia',
    'Apple iPhone',
    `AppleCoreMedia/1.0.0.21F79 (iPhone; U; CPU OS 17_5 like Mac OS X)`,
  ],
  ['library', 'Dalvik', 'Android Phone', 'Dalvik/2.1.0 (Linux; U; Android 9; SM-N950U Build/PPR1)'],
  ['library', 'okhttp', 'Other Computer', 'okhttp/4.12.0'],
  ['library', 'Go Http Client', 'unknown', 'Go-http-client/1.1'],
  [
    'browser',
    'Chrome',
    'Windows Computer',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`,
  ],
  [
    'browser',
    'Edge',
    'Windows Computer',
    `Mozilla/5.0 (Windows NT 10.0) ${chrome} Safari/537.36 Edg/126.0`,
  ],
  [
    'browser',
    'Safari',
    'Apple iPhone',
    `Mozilla/5.0 (${iPhone}) ${webKit} Version/17.5 Mobile/15E148 Safari/604.1`,
  ],
  [
    'browser',
    'Firefox',
    'Other Computer',
    'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
  ],
  ['browser', 'iOS WebView', 'Apple iPhone', `Mozilla/5.0 (${iPhone}) ${webKit} Mobile/15E148`],
  [
    'bot',
    'Googlebot',
    'unknown',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  ],
  ['bot', 'curl', 'unknown', 'curl/8.5.0'],
  ['bot', 'Wget', 'unknown', 'Wget/1.21.4'],
  ['bot', 'python-requests', 'unknown', 'python-requests/2.31.0'],
  ['bot', 'Apple Podcasts automated checks', 'unknown', 'iTMS'],
  [
    'bot',
    'Apple Podcasts (Watch)',
    'unknown',
    'atc/1.0 watchOS/10.5 model/Watch6,2 hwp/t8301 build/21T576',
  ],
  ['bot', 'Spotify cache service', 'unknown', 'Spotify/1.0'],
  ['unknown', 'unknown', 'unknown', 'SomethingNew/1.0'],
  ['unknown', 'unknown', 'Android Phone', 'SomethingNew/1.0 (Android 14)'],
  ['unknown', 'unknown', 'unknown', '-'],
  ['unknown', 'unknown', 'unknown', '%'],
  ['unknown', 'unknown', 'unknown', '%ff%FE\ud800'],
];

describe('the shipped tables', () => {
  it.each(userAgents)('%s %s on %s: %s', (kind, app, device, userAgent) => {
    expect(recognize(userAgent)).toEqual({ kind, app, device });
  });

  it.each([
    ['', 'Android '],
    ['Mozilla/5.0 (iPhone', ') AppleWebKit/ (KHTML, like Gecko'],
    ['Spotify/', '1.0 '],
    ['', 'Chrome/Android'],
    ['', '%d0%9f'],
    ['', '%'],
    ['', 'a'],
    ['', 'Podcast'],
    ['Mozilla/5.0 (Windows', 'Windows Edge Chrome'],
  ])('the shipped tables take linear time for %s, then many times %s', (before, repeated) => {
    const growth = measureGrowth((n) =>
      recognize(before + repeated.repeat(Math.ceil(n / repeated.length))),
    );
    expect(growth).toBeLessThan(acceptableGrowth);
  });
});

describe('each pattern of the shipped tables', () => {
  const tables = { apps, bots, libraries, browsers, devices };
  const patterns = Object.entries(tables).flatMap(([table, names]) =>
    Object.entries(names).flatMap(([name, all]: [string, string[]]) =>
      all.map((pattern) => ({ table, name, pattern })),
    ),
  );

  /** A wildcard may stand for no text or for some. */
  const examplesOf = (pattern: string) => [
    pattern.replaceAll('*', ''),
    pattern.replaceAll('*', ' x '),
  ];

  it('each pattern of the shipped tables is the first match for some user agent', () => {
    const unreached = patterns.filter(({ table, name, pattern }) =>
      examplesOf(pattern).every((example) => {
        const { app, device } = recognize(example);
        return (table === 'devices' ? device : app) !== name;
      }),
    );
    expect(patterns.length).toBeGreaterThan(1_400);
    expect(unreached).toEqual([]);
  });
});

describe('rememberClients', () => {
  // COUNT-8
  it.each([null, ''])('recognizes no client without a user agent: %j', (userAgent) => {
    const client = { kind: 'unknown', app: 'unknown', device: 'unknown' };
    const { identify } = rememberClients(() => expect.unreachable());
    expect(identify(userAgent)).toEqual(client);
  });

  it('recognizes each user agent once, by the part of it that evidence keeps', () => {
    const asked: string[] = [];
    const remembered = rememberClients((userAgent) => {
      asked.push(userAgent);
      return recognize(userAgent);
    });
    const long = 'Overcast/'.padEnd(512, 'x');
    for (const text of ['curl/8', long, `${long}1`, 'curl/8', `${long}2`]) {
      remembered.identify(text);
    }
    expect(asked).toEqual(['curl/8', long]);
  });
});
