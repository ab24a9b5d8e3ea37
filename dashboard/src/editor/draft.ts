import { type Fields, type FieldValue, sameValue } from './fields.ts';
import { mergeFields } from './merge-fields.ts';

type ValuesByField = Readonly<Record<string, readonly FieldValue[]>>;

/**
 * This browser's state of one episode or form that somebody edits. It is stored as a whole, and all
 * tabs of the person share it. Parts that are loaded separately (chapters, people, the segments of
 * a transcript) have fields here from the first edit on. Every function here returns a new draft.
 */
export interface Draft {
  readonly version: 1;
  /** The server's revision of `base`; if its fields come from several revisions, the oldest. */
  readonly revision: number;
  /** The server's values, in the form in which this browser sent them. */
  readonly base: Fields;
  /** What the person sees and edits. */
  readonly mine: Fields;
  /** The server's form of fields that it changes when it stores them (trimmed, sanitized). */
  readonly normalized: Fields;
  /**
   * Values that were sent over `revision` and whose result is unknown, because a response may be
   * lost.
   */
  readonly sent: ValuesByField;
  /**
   * Like `sent`, but a later request got the same revision. They may still be carried
   * out.
   */
  readonly late: ValuesByField;
  /** Fields that wait for a decision, with the texts of others. They are not sent. */
  readonly held: ValuesByField;
  /** When the person last changed anything, in milliseconds since 1970. */
  readonly editedAt: number;
}

export interface ServerState {
  readonly revision: number;
  readonly fields: Fields;
}

/** A change of one field by the person; `from` is the value that they saw before. */
export interface Edit {
  readonly field: string;
  readonly from: FieldValue;
  readonly to: FieldValue;
  /** The revision of `from`, for a field that the draft may not have yet. */
  readonly readAt?: number | undefined;
}

/** A decision about a field in `held`; `seen` lists the texts that the person was shown. */
export interface Decision {
  readonly field: string;
  readonly value: FieldValue;
  readonly seen: readonly FieldValue[];
}

export function startDraft({ revision, fields }: ServerState, now: number): Draft {
  const nothing = { normalized: {}, sent: {}, late: {}, held: {} };
  return { version: 1, revision, base: fields, mine: fields, ...nothing, editedAt: now };
}

/**
 * Applies edits. If a field has since changed, both texts are kept and the field waits for a
 * decision. The draft is copied once for all edits.
 */
export function applyEdits(draft: Draft, edits: readonly Edit[], now: number): Draft {
  if (edits.length === 0) return draft;
  const mine = { ...draft.mine };
  const added: Record<string, FieldValue> = {};
  let { revision, held } = draft;
  for (const { field, from, to, readAt = revision } of edits) {
    const value = mine[field];
    if (value === undefined) {
      added[field] = from;
      // If it is older, the server's response shows whether `from` is still valid.
      revision = Math.min(revision, readAt);
    } else if (held[field] !== undefined || !sameValue(value, from)) {
      const foreign = sameValue(value, from) ? [] : [value];
      held = hold(held, field, [...(held[field] ?? []), ...foreign], to);
    }
    mine[field] = to;
  }
  // Who watches `base` hears only of what the server has.
  const base = Object.keys(added).length === 0 ? draft.base : { ...draft.base, ...added };
  return { ...draft, revision, base, mine, held, editedAt: now };
}

export function applyDecision(draft: Draft, decision: Decision, now: number): Draft {
  const { field, value, seen } = decision;
  const left = (draft.held[field] ?? []).filter((text) => !includes(seen, text));
  const held = hold(draft.held, field, left, value);
  return { ...draft, mine: { ...draft.mine, [field]: value }, held, editedAt: now };
}

/** The patch to send next: all changes, except those that wait for a decision. */
export function fieldsToSend(draft: Draft): Fields {
  return Object.fromEntries(
    Object.entries(draft.mine).filter(([field]) => {
      return isUnsaved(draft, field) && draft.held[field] === undefined;
    }),
  );
}

/** True if there is nothing to send and nothing to decide. */
export function isClean(draft: Draft): boolean {
  const fields = Object.keys(draft.mine);
  return Object.keys(draft.held).length === 0 && !fields.some((field) => isUnsaved(draft, field));
}

/** True also if the person has undone a change that a request without a response may have saved. */
function isUnsaved({ base, mine, sent }: Draft, field: string): boolean {
  const value = mine[field];
  return [base[field], ...(sent[field] ?? [])].some((other) => !sameValue(other, value));
}

/**
 * Store the result before a request is sent, so that its values are recognized if its response is
 * lost.
 */
export function recordSending(draft: Draft, patch: Fields): Draft {
  const sent = { ...draft.sent };
  for (const [field, value] of Object.entries(patch)) {
    const earlier = (sent[field] ?? []).filter((other) => !sameValue(other, value));
    sent[field] = [...earlier, value].slice(-mostSentValues);
  }
  return { ...draft, sent };
}

// If more are lost, the person may be asked about their own words, which does no harm.
const mostSentValues = 8;

/**
 * The server has carried out `patch` over the revision `sentAt`. `state.fields` are the fields that
 * its response contains.
 */
export function acknowledge(
  draft: Draft,
  patch: Fields,
  state: ServerState,
  sentAt = draft.revision,
): Draft {
  // Another tab has a newer state.
  if (state.revision < draft.revision) return draft;
  const normalized = { ...draft.normalized };
  for (const [field, value] of Object.entries(patch)) {
    const stored = state.fields[field];
    if (stored === undefined || sameValue(stored, value)) delete normalized[field];
    else normalized[field] = stored;
  }
  const base = { ...draft.base, ...patch };
  // One write makes one revision. A higher one has changes of others, which `fields` may not
  // contain.
  const reached = covers(state, draft) ? state.revision : Math.min(state.revision, sentAt + 1);
  const revision = draft.revision < sentAt ? draft.revision : reached;
  const saved = { ...draft, base, normalized, sent: {}, late: {} };
  const acknowledged = takeOver(saved, { ...state, revision });
  if (state.revision > draft.revision) return acknowledged;
  // The request changed nothing there, so an earlier one over the same revision may still be done.
  return { ...acknowledged, late: union(draft.late, draft.sent) };
}

/**
 * Adopts the server's state. Fields that only others changed are replaced; fields that only the
 * person changed stay; fields that both changed wait for a decision.
 */
export function adopt(draft: Draft, state: ServerState): Draft {
  // The values may be newer than this revision, never older. So a write never overwrites others'
  // changes.
  const revision = covers(state, draft) ? state.revision : Math.min(draft.revision, state.revision);
  return takeOver(draft, { ...state, revision });
}

function covers({ fields }: ServerState, { mine }: Draft): boolean {
  return Object.keys(mine).every((field) => field in fields);
}

function takeOver(draft: Draft, { revision, fields }: ServerState): Draft {
  const theirs: Record<string, FieldValue> = { ...fields };
  const base: Record<string, FieldValue> = { ...draft.base };
  const normalized: Record<string, FieldValue> = { ...draft.normalized };
  for (const [field, value] of Object.entries(fields)) {
    const own = ownWords(draft, field, value);
    if (own === undefined) {
      delete normalized[field];
      continue;
    }
    base[field] = own;
    theirs[field] = own;
    if (sameValue(own, value)) delete normalized[field];
    else normalized[field] = value;
  }
  const { merged, overlapping } = mergeFields(base, draft.mine, theirs);
  const mine = { ...merged };
  let { held } = draft;
  const untold = (values: ValuesByField) =>
    Object.fromEntries(Object.entries(values).filter(([field]) => !(field in fields)));
  for (const [field, value] of Object.entries(theirs)) {
    const own = draft.mine[field];
    const others = held[field];
    if (own === undefined || (others === undefined && !overlapping.includes(field))) continue;
    mine[field] = own;
    if (sameValue(base[field], value)) continue;
    const outdated = draft.base[field];
    const kept = (others ?? []).filter((text) => !sameValue(text, outdated));
    held = hold(held, field, [...kept, value], own);
  }
  return {
    ...draft,
    revision,
    base: { ...base, ...theirs },
    mine,
    normalized,
    sent: untold(draft.sent),
    late: untold(draft.late),
    held,
  };
}

/** The text that this browser sent, if `stored` is only the server's form of it. */
function ownWords(draft: Draft, field: string, stored: FieldValue): FieldValue | undefined {
  if (sameValue(draft.normalized[field], stored)) return draft.base[field];
  // Perhaps a request whose response was lost.
  const sent = [...(draft.late[field] ?? []), ...(draft.sent[field] ?? [])];
  return sent.findLast((value) => sameValue(trim(value), trim(stored)));
}

const trim = (value: FieldValue) => (typeof value === 'string' ? value.trim() : value);

/** A field waits as long as another text for it differs from `mine`. */
function hold(
  held: ValuesByField,
  field: string,
  others: readonly FieldValue[],
  mine: FieldValue,
): ValuesByField {
  const { [field]: _, ...rest } = held;
  const left = others.filter((text, index) => {
    return !sameValue(text, mine) && !includes(others.slice(0, index), text);
  });
  return left.length === 0 ? rest : { ...rest, [field]: left };
}

function union(a: ValuesByField, b: ValuesByField): ValuesByField {
  const fields = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries(
    [...fields].map((field) => {
      return [field, [...(a[field] ?? []), ...(b[field] ?? [])].slice(-mostSentValues)];
    }),
  );
}

function includes(values: readonly FieldValue[], value: FieldValue): boolean {
  return values.some((other) => sameValue(other, value));
}
