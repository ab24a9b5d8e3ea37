import { expect, it } from 'vitest';
import { watchEvents } from './events.ts';

/** A stream and a clock that the test controls. */
function setUp() {
  const opened: FakeSource[] = [];
  const waiting = new Set<() => void>();
  const told: unknown[] = [];
  const stream = { urlSince: (since: string) => `/events?since=${since}`, position: 'page' };
  const end = watchEvents(
    stream,
    { on: { changed: (data) => told.push(data) }, onGap: () => told.push('gap') },
    {
      open: (url) => {
        const source = new FakeSource(url);
        opened.push(source);
        return source as unknown as EventSource;
      },
      after: (_ms, work) => {
        waiting.add(work);
        return () => waiting.delete(work);
      },
    },
  );
  const pass = () => {
    for (const work of [...waiting]) {
      waiting.delete(work);
      work();
    }
  };
  return { opened, waiting, told, end, pass };
}

class FakeSource extends EventTarget {
  readonly url: string;
  readyState = 0;
  constructor(url: string) {
    super();
    this.url = url;
  }
  close() {
    this.readyState = 2;
  }
  dispatch(name: string, data: unknown, lastEventId = '') {
    const event = new Event(name);
    this.dispatchEvent(Object.assign(event, { data: JSON.stringify(data), lastEventId }));
  }
}

it('passes events on, and asks for the state only while there is no connection', () => {
  const { opened, told, waiting, pass } = setUp();
  const [source] = opened as [FakeSource];
  source.dispatch('open', null);
  source.dispatch('changed', { id: 1 });
  expect(told.splice(0)).toEqual([{ id: 1 }]);
  expect(waiting.size).toBe(0);
  source.dispatch('error', null);
  pass();
  expect(told.splice(0)).toEqual(['gap']);
  source.dispatch('open', null);
  expect([told, waiting.size]).toEqual([[], 0]);
});

it('asks regularly if events are refused, and tries the stream again', () => {
  const { opened, told, waiting, pass, end } = setUp();
  const [source] = opened as [FakeSource];
  source.readyState = 2;
  source.dispatch('error', null);
  for (let looks = 0; looks < 4; looks += 1) pass();
  expect(told).toEqual(['gap', 'gap', 'gap', 'gap']);
  expect(opened).toHaveLength(2);
  opened[1]?.dispatch('open', null);
  expect([told.length, waiting.size]).toEqual([4, 0]);
  end();
  expect(opened[1]?.readyState).toBe(2);
});

it('opens a new stream where the last one ended', () => {
  const { opened, pass } = setUp();
  const [source] = opened as [FakeSource];
  source.dispatch('changed', { id: 1 });
  source.dispatch('changed', { id: 2 }, 'second');
  source.readyState = 2;
  source.dispatch('error', null);
  for (let looks = 0; looks < 4; looks += 1) pass();
  expect(opened.map(({ url }) => url)).toEqual(['/events?since=page', '/events?since=second']);
});
