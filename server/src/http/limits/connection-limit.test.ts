import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { ConnectionLimit } from './connection-limit.ts';

const openSocket = () => new EventEmitter() as Socket;
const isProxy = (address: string) => address === '2001:db8:9::1';

it('a network has so many connections until one of them is closed', () => {
  const limit = new ConnectionLimit(2, isProxy);
  const first = openSocket();
  expect(limit.add(first, '192.0.2.1')).toBe(true);
  expect(limit.add(openSocket(), '192.0.2.1')).toBe(true);
  expect(limit.add(openSocket(), '192.0.2.1')).toBe(false);
  expect(limit.add(openSocket(), '192.0.2.2')).toBe(true);
  first.emit('close');
  expect(limit.add(openSocket(), '192.0.2.1')).toBe(true);
  expect(limit.add(openSocket(), '192.0.2.1')).toBe(false);
});

it('the networks of an IPv6 /48 together have ten times as many connections', () => {
  const limit = new ConnectionLimit(1, isProxy);
  const sockets = Array.from({ length: 10 }, openSocket);
  const added = sockets.map((socket, n) => limit.add(socket, `2001:db8:1:${n}::1`));
  expect(added).toEqual(Array(10).fill(true));
  expect(limit.add(openSocket(), '2001:db8:1:99::1')).toBe(false);
  expect(limit.add(openSocket(), '2001:db8:2:99::1')).toBe(true);
  sockets[0]?.emit('close');
  expect(limit.add(openSocket(), '2001:db8:1:99::1')).toBe(true);
  expect(limit.add(openSocket(), '2001:db8:1:98::1')).toBe(false);
});

it('a proxy has any number of connections, and so has everybody without a limit', () => {
  const limit = new ConnectionLimit(1, isProxy);
  const many = Array.from({ length: 20 }, () => limit.add(openSocket(), '2001:db8:9::1'));
  expect(many).not.toContain(false);
  const none = new ConnectionLimit(0, isProxy);
  expect([1, 2].map(() => none.add(openSocket(), '192.0.2.1'))).toEqual([true, true]);
});
