import { describe, expect, it } from 'vitest';
import { audioEpisodeId, isOwnAddress, isOwnAudio } from './own-addresses.ts';

const hosts = { baseUrl: 'https://pod.example', embedUrl: 'https://embed.example:8443' };

describe('an address of this installation', () => {
  it.each([
    'https://pod.example/feeds/show.xml',
    'http://POD.example:80/media/x',
    'https://pod.example.:443/',
    'https://embed.example:8443/ep/1',
    'http://user@pod.example/feeds/a.xml?b#c',
  ])('an address of this installation is recognized: %s', (address) => {
    expect(isOwnAddress(hosts, address)).toBe(true);
  });

  it.each([
    'https://pod.example.org/feeds/show.xml',
    'https://other.example/pod.example/feeds/show.xml',
    'https://embed.example/ep/1',
    'https://pod.example:8443/',
    'ftp://pod.example/',
    'nothing',
  ])('an address of this installation is not recognized: %s', (address) => {
    expect(isOwnAddress(hosts, address)).toBe(false);
  });

  it('an address of this installation of a local installation may use any local host name', () => {
    const local = { baseUrl: 'http://localhost:3000', embedUrl: 'http://localhost:3000' };
    for (const host of [
      '127.0.0.1',
      '[::1]',
      'LOCALHOST',
      '0x7f.1',
      '127.1',
      '[::ffff:127.0.0.1]',
    ]) {
      expect(isOwnAddress(local, `http://${host}:3000/feeds/a.xml`), host).toBe(true);
      expect(isOwnAddress(local, `http://${host}:3001/feeds/a.xml`), host).toBe(false);
    }
  });
});

describe('audio of this installation', () => {
  it('audio of this installation is recognized behind a measuring prefix', () => {
    const path = 'pod.example/media/0199f3a0-0000-7000-8000-000000000000/f/one.mp3';
    expect(isOwnAudio(hosts, `https://op3.dev/e/${path}`)).toBe(true);
    expect(isOwnAudio(hosts, `https://op3.dev/e/https://${path}`)).toBe(true);
    expect(isOwnAudio(hosts, `https://track.example/https%3A%2F%2F${path}`)).toBe(true);
    expect(isOwnAudio(hosts, 'https://cdn.example/not-pod.example/media/a.mp3')).toBe(false);
  });

  it('names its episode, at whichever host', () => {
    const id = '0199f3a0-0000-7000-8000-000000000000';
    expect(audioEpisodeId(`https://old.example/media/${id.toUpperCase()}/f/a.mp3`)).toBe(id);
    expect(audioEpisodeId('https://old.example/media/a.mp3')).toBeUndefined();
    expect(audioEpisodeId('https://old.example/media/%ff')).toBeUndefined();
  });
});
