import { isDeepStrictEqual } from 'node:util';
import { wireName } from '../../../lib/wire-names.ts';
import type { Context } from '../context.ts';
import type { Db } from '../database.ts';
import { DomainError, type ErrorDetail, requireFound } from '../errors.ts';
import {
  type Expectation,
  type FieldChange,
  lastChanges,
  type Revision,
  type Subject,
} from './revision.ts';
import {
  addRevisedFields,
  insertRevision,
  lockRevision,
  selectRevision,
  selectRevisions,
} from './revisions.sql.ts';

/** The fields that a transaction has changed already; `new`: it created the subject. */
const inTransaction = new WeakMap<Db, Map<string, Set<string> | 'new'>>();

/**
 * Marks the subject as created by this transaction: it stays at its first revision until the end.
 */
export function beginRevisions({ db }: Context, subject: Subject): void {
  changesOf(db).set(idOf(subject), 'new');
}

/**
 * Call it in the transaction that changes the subject, before the change: locks the subject, refuses
 * with `precondition_failed` if it is not at the expected revision, and records which fields change.
 * Without fields it only checks. A transaction makes one revision, however many calls it makes.
 */
export async function revise(
  tx: Context,
  subject: Subject,
  fields: readonly string[],
  { expected }: Expectation = {},
): Promise<void> {
  const { db, principal } = tx;
  const before = changesOf(db).get(idOf(subject));
  if (before === 'new') return;
  if (before !== undefined) return await addFields(db, subject, fields, before);
  if (fields.length === 0) {
    if (expected !== undefined) await requireRevision(tx, subject, expected);
    return;
  }
  const userId = principal.kind === 'user' ? principal.userId : null;
  const change = { fields, userId, createdAt: tx.clock.now() };
  const revision = requireFound(await insertRevision(db, subject, change), nameOf(subject));
  if (expected !== undefined && expected !== revision - 1) {
    await refuseStaleRevision(tx, subject, { expected, current: revision - 1 });
  }
  changesOf(db).set(idOf(subject), new Set(fields));
}

async function requireRevision(tx: Context, subject: Subject, expected: number): Promise<void> {
  const current = requireFound(await lockRevision(tx.db, subject), nameOf(subject));
  if (current !== expected) await refuseStaleRevision(tx, subject, { expected, current });
}

async function addFields(
  db: Db,
  subject: Subject,
  fields: readonly string[],
  before: Set<string>,
): Promise<void> {
  const added = fields.filter((field) => !before.has(field));
  if (added.length === 0) return;
  await addRevisedFields(db, subject, added);
  for (const field of added) before.add(field);
}

function changesOf(db: Db): Map<string, Set<string> | 'new'> {
  if (!db.isTransaction) throw new Error('revisions are made in the transaction of the change');
  const changes = inTransaction.get(db) ?? new Map<string, Set<string> | 'new'>();
  inTransaction.set(db, changes);
  return changes;
}

function idOf(subject: Subject): string {
  return 'episodeId' in subject ? subject.episodeId : subject.podcastId;
}

function nameOf(subject: Subject): string {
  return 'episodeId' in subject ? 'episode' : 'podcast';
}

/**
 * Reads the revision, for verbs that have checked the permission. Call it before reading the rest:
 * a change in the meantime then raises the revision, so that no write overwrites it.
 */
export async function getRevision({ db }: Context, subject: Subject): Promise<number> {
  return requireFound(await selectRevision(db, subject), nameOf(subject));
}

/** Who changed each field last, as far as that is stored; for verbs that have checked the permission. */
export async function listLastChanges({ db }: Context, subject: Subject): Promise<FieldChange[]> {
  const upTo = (await selectRevision(db, subject)) ?? 0;
  return lastChanges(await selectRevisions(db, subject, { after: 0, upTo }));
}

/** Pictures are fields of their own, whatever they are in the table. */
const pictures: ReadonlyMap<string, string> = new Map([
  ['artworkId', 'artwork'],
  ['headerImageId', 'headerImage'],
]);

/** The wire names of the fields whose values change. */
export function changedFields(before: object, changes: object): string[] {
  const values = new Map<string, unknown>(Object.entries(before));
  return Object.entries(changes)
    .filter(([name, value]) => value !== undefined && !isDeepStrictEqual(value, values.get(name)))
    .map(([name]) => wireName(pictures.get(name) ?? name));
}

/** Throws `precondition_failed`, with one detail for each field changed since. */
async function refuseStaleRevision(
  { db }: Context,
  subject: Subject,
  { expected, current }: { readonly expected: number; readonly current: number },
): Promise<never> {
  const revisions = await selectRevisions(db, subject, { after: expected, upTo: current });
  const details = changedField(revisions);
  // Older changes are not stored, so any field may have changed.
  if (revisions.length < current - expected) {
    details.push({ field: '*', message: 'Earlier changes are unknown.', reason: 'changed' });
  }
  const what = 'episodeId' in subject ? 'episode' : 'podcast';
  throw new DomainError('precondition_failed', `The ${what} has changed. Check it and try again.`, {
    details,
    revision: current,
  });
}

function changedField(newestFirst: readonly Revision[]): ErrorDetail[] {
  return lastChanges(newestFirst).map(({ field, by, at }) => {
    const message = `${by ?? 'The service'} changed this at ${at.toISOString()}.`;
    return { field, message, reason: 'changed', change: { by, at } };
  });
}
