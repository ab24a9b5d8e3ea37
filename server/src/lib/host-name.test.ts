import { describe, expect, it } from 'vitest';
import { parseHostName, requestedHost } from './host-name.ts';

describe('parseHostName (DOMAIN-4)', () => {
  it.each([
    ['pod.example', 'pod.example'],
    [' Pod.Example. ', 'pod.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['ｐｏｄ。example', 'pod.example'],
    ['a.b-c.xn--p1ai', 'a.b-c.xn--p1ai'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
    [`${'a.'.repeat(119)}examp`, `${'a.'.repeat(119)}examp`],
  ])('%s is stored as %s', (text, host) => expect(parseHostName(text)).toEqual({ host }));

  it.each([
    ['', 'form'],
    ['pod.example:8080', 'port'],
    ['https://pod.example', 'form'],
    ['pod.example/feed', 'form'],
    ['user@pod.example', 'form'],
    ['127.0.0.1', 'address'],
    ['127.1', 'single_label or address'],
    ['0x7f.1', 'single_label or address'],
    ['::1', 'address'],
    ['[2001:db8::1]', 'address'],
    ['１２７.0.0.1', 'address'],
    ['localhost', 'single_label'],
    ['pod', 'single_label'],
    ['pod..example', 'form'],
    ['.pod.example', 'form'],
    ['-pod.example', 'form'],
    ['pod_cast.example', 'characters'],
    ['pod%2eexample.com', 'form'],
    ['pod\t.example', 'form'],
    ['*.example.com', 'characters'],
    ["pod'cast.example", 'characters'],
    ['pod.example\0', 'form'],
    ['xn--.example', 'form'],
    [`${'a'.repeat(64)}.example`, 'length'],
    [`${'a.'.repeat(119)}exampl`, 'length'],
    [`${'a.'.repeat(200)}example`, 'length'],
    [`${'ü'.repeat(60)}.example`, 'length'],
    ['a'.repeat(100_000), 'length'],
  ])('%j is refused: %s', (text, problem) => {
    const parsed = parseHostName(text);
    expect(parsed).not.toHaveProperty('host');
    expect(problem).toContain('problem' in parsed ? parsed.problem : 'nothing');
  });
});

describe('requestedHost', () => {
  it.each([
    ['pod.example', 'pod.example'],
    ['POD.example.:443', 'pod.example'],
    ['pod.example:', 'pod.example'],
    ['pod.example:443@other.example', undefined],
    ['[::1]:80', undefined],
    ['pod_x.example', undefined],
    ['', undefined],
    ['a'.repeat(300), undefined],
  ])('%s is %s', (authority, host) => expect(requestedHost(authority)).toBe(host));
});
