import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FakeBrowser, settle } from '../../test/editor/fake-browser.ts';
import { FakeServer, type Outcome, part } from '../../test/editor/fake-server.ts';
import type { ServerState } from './draft.ts';
import type { FieldValue } from './fields.ts';
import type { SaveEngine } from './save-engine.ts';

/**
 * After an edit, the person may leave the field (`flush`). After a step, pending work may continue.
 */
type Step = { readonly settle: boolean } & (
  | { do: 'edit'; tab: number; field: string; text: string; flush: boolean }
  | { do: 'pass'; milliseconds: number }
  | { do: 'respond'; outcome: Outcome }
  | { do: 'flush' | 'kill' | 'open' | 'update'; tab: number }
  | { do: 'others'; field: string; text: string }
  | { do: 'late' }
);

const runs = Number(process.env['EDITOR_RUNS'] ?? 300);
const is = <T extends string>(...names: T[]) => fc.constantFrom(...names);
const field = is('title', 'notes', part);
const tab = fc.constantFrom(0, 0, 0, 1);
const settling = fc.constantFrom(true, true, true, false);
const step = <T>(weight: number, model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => ({
  weight,
  arbitrary: fc.record({ ...model, settle: settling }) as fc.Arbitrary<unknown>,
});
const outcome = fc.oneof(
  { weight: 5, arbitrary: is<Outcome>('ok') },
  { weight: 4, arbitrary: is<Outcome>('lost', 'lost', 'late', 'offline', 'busy') },
  { weight: 1, arbitrary: is<Outcome>('signed-out', 'refused') },
);
const always = [
  step(2, { do: is('pass'), milliseconds: fc.constantFrom(10, 800, 9000) }),
  step(8, { do: is('respond'), outcome }),
  step(1, { do: is('late') }),
  step(2, { do: is('flush', 'kill', 'open', 'update'), tab }),
];
const edits = (text: fc.Arbitrary<string>) =>
  step(8, { do: is('edit'), tab, field, text, flush: fc.boolean() });
const stepsWith = (...more: ReturnType<typeof step>[]) =>
  fc.array(fc.oneof(...more, ...always), { maxLength: 40, size: 'max' }) as fc.Arbitrary<Step[]>;

class Run {
  readonly server = new FakeServer({ title: 'Pilot', notes: '', [part]: '' });
  readonly browser = new FakeBrowser(this.server);
  readonly typed = new Map<string, string>();
  /** Everything that the person was shown, in the form or as another person's text. */
  readonly shown = new Set<unknown>();

  /** The part as each tab read it when it was opened; the tab does not read it again. */
  readonly #read = new Map<SaveEngine, ServerState>();

  #tab = 0;

  async open(): Promise<void> {
    const read = this.server.state;
    const engine = await this.browser.open();
    this.#read.set(engine, read);
    const note = () => {
      const { overlaps } = engine.state;
      const values = { ...read.fields, ...engine.state.values };
      for (const value of [Object.values(values), Object.values(overlaps)].flat(2)) {
        this.shown.add(value);
      }
    };
    note();
    engine.subscribe(note);
  }

  async take(step: Step): Promise<void> {
    if ('tab' in step && step.tab !== this.#tab) {
      // A person is never faster at changing tabs than the messages between tabs.
      await settle();
      this.#tab = step.tab;
    }
    if (step.do === 'pass') this.browser.clock.advance(step.milliseconds);
    else if (step.do === 'respond') this.server.respond(step.outcome);
    else if (step.do === 'late') this.server.performLate();
    else if (step.do === 'others') this.server.saveByOthers({ [step.field]: step.text });
    else if (step.do === 'open') await (this.browser.tabs.length < 2 ? this.open() : undefined);
    else if (step.do === 'kill') await this.#kill(step.tab);
    else this.#use(step);
    if (step.settle) await settle();
  }

  /** Waits until the browser has stored a keystroke, which takes some milliseconds. */
  async #kill(index: number): Promise<void> {
    await settle();
    await this.browser.kill(index);
  }

  #use(step: Extract<Step, { readonly tab: number }>): void {
    const engine = this.browser.tabs[step.tab]?.engine;
    if (engine === undefined) return;
    if (step.do === 'edit') {
      engine.edit({ [step.field]: step.text }, this.#read.get(engine));
      this.typed.set(step.field, step.text);
      if (step.flush) void engine.flush();
    } else if (step.do === 'update') void engine.update();
    else void engine.flush();
  }

  valueIn(engine: SaveEngine, name: string): FieldValue | undefined {
    return engine.state.values[name] ?? this.#read.get(engine)?.fields[name];
  }

  async #finishInNewTab(): Promise<SaveEngine> {
    while (this.browser.tabs.length > 0) await this.#kill(0);
    return this.finish();
  }

  /** The network works again, the person signs in, and decides conflicts for their own words. */
  async finish(): Promise<SaveEngine> {
    if (this.browser.tabs.length === 0) await this.open();
    const { engine } = this.browser.tabs[0]!;
    for (let round = 0; round < 60; round += 1) {
      // This server refuses at random, so a new tab tries again.
      if (engine.state.status === 'refused') return this.#finishInNewTab();
      for (const { engine } of this.browser.tabs) {
        if (engine.state.status === 'signed-out') void engine.resume();
        void engine.noticeRevision(this.server.state.revision);
      }
      await settle();
      while (this.server.waiting.length > 0) {
        this.server.respond('ok');
        await settle();
      }
      for (const [name, seen] of Object.entries(engine.state.overlaps)) {
        void engine.decide({ field: name, value: engine.state.values[name]!, seen });
      }
      this.browser.clock.advance(60_000);
      await settle();
      const { status, revision } = engine.state;
      if (status === 'saved' && revision === this.server.state.revision) break;
    }
    return engine;
  }
}

it('one person: the last text is on the server, and no decision is asked for', async () => {
  const texts = fc.constantFrom('Pilot', 'a', ' b ');
  await fc.assert(
    fc.asyncProperty(stepsWith(edits(texts)), async (steps) => {
      const run = new Run();
      await run.open();
      for (const step of steps) {
        await run.take(step);
        for (const { engine } of run.browser.tabs) expect(engine.state.overlaps).toEqual({});
      }
      const engine = await run.finish();
      for (const [name, text] of run.typed) {
        expect(run.valueIn(engine, name)).toBe(text);
        expect(run.server.state.fields[name]).toBe(text.trim());
      }
    }),
    { numRuns: runs },
  );
});

it('several people: no text is replaced unseen', async () => {
  const others = step(4, { do: is('others'), field, text: fc.constant('') });
  await fc.assert(
    fc.asyncProperty(stepsWith(edits(fc.constant('')), others), async (steps) => {
      const run = new Run();
      await run.open();
      // All texts differ, so that each can be followed.
      const number = (step: Step, index: number): Step =>
        'text' in step ? { ...step, text: `${step.do} ${index}` } : step;
      for (const step of steps.map(number)) await run.take(step);
      const engine = await run.finish();
      for (const [name, text] of Object.entries(run.server.state.fields)) {
        if (name !== part || engine.state.values[name] !== undefined)
          expect(engine.state.values[name]).toBe(text);
        checkHistory(run, name, text);
      }
    }),
    { numRuns: runs },
  );
});

/** The person's last text is on the server, or somebody replaced it after it was saved. */
function checkHistory(run: Run, name: string, final: FieldValue): void {
  const typed = run.typed.get(name);
  const history = run.server.commits.filter(({ fields }) => fields[name] !== undefined);
  const texts = history.map(({ fields }) => fields[name]);
  if (typed !== undefined && typed !== final) expect(texts).toContain(typed);
  for (const [index, { by }] of history.entries()) {
    const before = history[index - 1];
    // The person's text replaces only texts that they have seen.
    if (by === 'client' && before?.by === 'others') expect(run.shown).toContain(texts[index - 1]);
  }
}
