import type { FaultyFile } from './fault.ts';

const editor = 'dashboard/src/editor';

/** Of the dashboard's save engine. */
export const editorFaults: readonly FaultyFile[] = [
  {
    area: 'save engine',
    file: `${editor}/merge-fields.ts`,
    tests: [`${editor}/merge-fields.test.ts`],
    faults: [
      {
        what: 'a change of others overwrites mine',
        from: 'if (sameValue(mine[field], base[field])) merged[field] = value;',
        to: 'if (field in mine) merged[field] = value;',
      },
      {
        what: 'the same change of both is asked about',
        from: 'if (sameValue(mine[field], value) || sameValue(base[field], value)) continue;',
        to: 'if (sameValue(base[field], value)) continue;',
      },
    ],
  },
  {
    area: 'save engine',
    file: `${editor}/draft.ts`,
    tests: [`${editor}/draft.test.ts`],
    faults: [
      {
        what: 'a field that waits for a decision is sent',
        from: 'return isUnsaved(draft, field) && draft.held[field] === undefined;',
        to: 'return isUnsaved(draft, field);',
      },
      {
        what: 'an old response replaces the newer state of another tab',
        from: 'if (state.revision < draft.revision) return draft;',
        to: '',
      },
      {
        what: 'a response skips the changes of others',
        from: 'const revision = draft.revision < sentAt ? draft.revision : reached;',
        to: 'const { revision } = state;',
      },
      {
        what: 'own words that the server trimmed are those of somebody else',
        from: 'return sent.findLast((value) => sameValue(trim(value), trim(stored)));',
        to: 'return sent.findLast((value) => sameValue(value, stored));',
      },
      {
        what: 'a decision drops texts that nobody was shown',
        from: '(draft.held[field] ?? []).filter((text) => !includes(seen, text))',
        to: '(draft.held[field] ?? []).slice(seen.length)',
      },
    ],
  },
  {
    area: 'save engine',
    file: `${editor}/save-engine.ts`,
    tests: [`${editor}/save-engine.test.ts`, `${editor}/save-parts.test.ts`],
    faults: [
      {
        what: 'a public episode is saved without being asked to',
        from: "if (this.#mode === 'manual' && !this.#requested) return undefined;",
        to: '',
      },
      {
        what: 'saving does not go on after a sign-in',
        from: "if (this.#block === 'signed-out') this.#block = undefined;",
        to: '',
      },
      {
        what: 'a status is not changed if somebody else was faster',
        from: 'return first;\n      return attempt();',
        to: 'return first;\n      return first;',
      },
      {
        what: 'typing calls a server that fails',
        from: 'if (this.isBackingOff && this.isWaiting) return;',
        to: '',
      },
      {
        what: 'typing after a request to update is part of it',
        from: 'this.#requested = false;\n      this.#schedule.noteSuccess();',
        to: 'this.#schedule.noteSuccess();',
      },
      {
        what: 'the pause that a server asks for is not kept',
        from: 'this.#schedule.noteFailure(failure.retryAfterSeconds)',
        to: 'this.#schedule.noteFailure()',
      },
    ],
  },
];
