import { type Fields, type FieldValue, sameValue } from './fields.ts';
import { mergeFields } from './merge-fields.ts';

type ValuesByField = Readonly<Record<string, readonly FieldValue[]>>;

/**
 * What this browser knows of one episode that somebody edits. It is stored whole, and all tabs of
 * the person share it. Every function here returns a new draft.
 */
export interface Draft {
  readonly version: 1;
  /** The server's revision that `base` comes from. */
  readonly revision: number;
  /** What the server has, in the words in which this browser sent it. */
  readonly base: Fields;
  /** What the person sees and edits. */
  readonly mine: Fields;
  /** Fields that the server stores in a form of its own (trimmed, sanitized): that form. */
  readonly normalized: Fields;
  /** Values that were sent on top of `revision` with an unknown end: the answer may be lost. */
  readonly sent: ValuesByField;
  /** As `sent`, but a later request was answered with the same revision: they may still be done. */
  readonly late: ValuesByField;
  /** Fields that wait for a decision: what others wrote there. They are not sent. */
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
}

/** A decision about a field that was held; `seen` lists what the person was shown. */
export interface Decision {
  readonly field: string;
  readonly value: FieldValue;
  readonly seen: readonly FieldValue[];
}

export function startDraft({ revision, fields }: ServerState, now: number): Draft {
  const nothing = { normalized: {}, sent: {}, late: {}, held: {} };
  return { version: 1, revision, base: fields, mine: fields, ...nothing, editedAt: now };
}

/** If the field has changed meanwhile, both texts are kept and the field waits for a decision. */
export function applyEdit(draft: Draft, { field, from, to }: Edit, now: number): Draft {
  const value = draft.mine[field];
  const mine = { ...draft.mine, [field]: to };
  const foreign = value === undefined || sameValue(value, from) ? [] : [value];
  const held = hold(draft.held, field, [...(draft.held[field] ?? []), ...foreign], to);
  return { ...draft, mine, held, editedAt: now };
}

export function applyDecision(draft: Draft, decision: Decision, now: number): Draft {
  const { field, value, seen } = decision;
  const left = (draft.held[field] ?? []).filter((text) => !includes(seen, text));
  const held = hold(draft.held, field, left, value);
  return { ...draft, mine: { ...draft.mine, [field]: value }, held, editedAt: now };
}

/** What to send next: all changes, except those that wait for a decision. */
export function fieldsToSend(draft: Draft): Fields {
  return Object.fromEntries(
    Object.entries(draft.mine).filter(([field]) => {
      return isUnsaved(draft, field) && draft.held[field] === undefined;
    }),
  );
}

/** Nothing to send, nothing to decide. */
export function isClean(draft: Draft): boolean {
  const fields = Object.keys(draft.mine);
  return Object.keys(draft.held).length === 0 && !fields.some((field) => isUnsaved(draft, field));
}

/** Also if the person has taken back what an unanswered request may have saved. */
function isUnsaved({ base, mine, sent }: Draft, field: string): boolean {
  const value = mine[field];
  return [base[field], ...(sent[field] ?? [])].some((other) => !sameValue(other, value));
}

/** To be stored before a request leaves: so its values are recognized if its answer is lost. */
export function recordSending(draft: Draft, patch: Fields): Draft {
  const sent = { ...draft.sent };
  for (const [field, value] of Object.entries(patch)) {
    const earlier = (sent[field] ?? []).filter((other) => !sameValue(other, value));
    sent[field] = [...earlier, value].slice(-mostSentValues);
  }
  return { ...draft, sent };
}

// More attempts without any answer only mean that a person may be asked about their own words.
const mostSentValues = 8;

/** The server has taken `patch`. `fields` is what it says of itself, as far as it says it. */
export function acknowledge(draft: Draft, patch: Fields, state: ServerState): Draft {
  // Another tab has gone on from there.
  if (state.revision < draft.revision) return draft;
  const normalized = { ...draft.normalized };
  for (const [field, value] of Object.entries(patch)) {
    const stored = state.fields[field];
    if (stored === undefined || sameValue(stored, value)) delete normalized[field];
    else normalized[field] = stored;
  }
  const base = { ...draft.base, ...patch };
  const acknowledged = adopt({ ...draft, base, normalized, sent: {}, late: {} }, state);
  if (state.revision > draft.revision) return acknowledged;
  // The request changed nothing there, so an earlier one of the same revision may still be done.
  return { ...acknowledged, late: union(draft.late, draft.sent) };
}

/**
 * Takes over what the server has now. Fields that only others changed follow them; fields that only
 * the person changed stay; fields that both changed wait for a decision.
 */
export function adopt(draft: Draft, { revision, fields }: ServerState): Draft {
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
    sent: {},
    late: {},
    held,
  };
}

/** The words that this browser sent, if `stored` is only the server's form of them. */
function ownWords(draft: Draft, field: string, stored: FieldValue): FieldValue | undefined {
  if (sameValue(draft.normalized[field], stored)) return draft.base[field];
  // Its answer was lost.
  const sent = [...(draft.late[field] ?? []), ...(draft.sent[field] ?? [])];
  return sent.findLast((value) => sameValue(trim(value), trim(stored)));
}

const trim = (value: FieldValue) => (typeof value === 'string' ? value.trim() : value);

/** A field waits as long as somebody else's text for it differs from `mine`. */
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
