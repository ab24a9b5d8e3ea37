import {
  findUser,
  findUserOfAccount,
  getAccount,
  getPlan,
} from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { type EmailValue, queueEmail } from '../../foundation/emails/index.ts';
import type { PlanState } from '../../foundation/enumerations.ts';
import { type ChangeEvent, consumeChanges } from '../../foundation/outbox/index.ts';
import { findMembership, findPodcast } from '../../publishing/podcasts/index.ts';

/** The consumer's name in change_consumers. */
const consumer = 'notices';
const changesAtOnce = 500;

/** Queues the emails for new changes, until all are read or the signal aborts. */
export async function notifyOfChanges(
  ctx: Context,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  while (options.signal?.aborted !== true) {
    const taken = await consumeChanges(ctx, consumer, changesAtOnce, notifyOnce);
    if (taken === 0) return;
  }
}

/** Repeated changes in one batch give one email, about the present state. */
async function notifyOnce(tx: Context, changes: readonly ChangeEvent[]): Promise<void> {
  const told = new Set<string>();
  for (const change of changes) {
    const { kind, podcastId, userId, accountId } = change;
    const what = [kind, podcastId, userId, accountId].join(' ');
    if (told.has(what)) continue;
    told.add(what);
    if (kind === 'membership.removed') await notifyOfRemoval(tx, change);
    if (kind === 'ownership.changed') await notifyOfHandover(tx, change);
    if (kind === 'plan.changed') await notifyOfPlan(tx, change);
  }
}

/** Emails both the previous and the new owner. */
async function notifyOfHandover(
  tx: Context,
  { podcastId, previousUserId, userId }: ChangeEvent,
): Promise<void> {
  if (podcastId === null || previousUserId === null || userId === null) return;
  const podcast = await findPodcast(tx, podcastId);
  const from = await findUser(tx, previousUserId);
  const to = await findUser(tx, userId);
  if (podcast === undefined || from === undefined || to === undefined) return;
  const values = { podcast: podcast.title, from: from.name, to: to.name };
  for (const { email } of [from, to]) {
    await queueEmail(tx, { template: 'ownership-handed-over', to: email, values });
  }
}

const inWords: Readonly<Record<PlanState, EmailValue<'sentence'>>> = {
  active: { sentence: 'planActive', values: {} },
  lapsed: { sentence: 'planLapsed', values: {} },
};

/** Emails the account's user about the current plan. */
async function notifyOfPlan(tx: Context, { accountId }: ChangeEvent): Promise<void> {
  if (accountId === null) return;
  const user = await findUserOfAccount(tx, accountId);
  if (user === undefined) return;
  const { plan, planState } = await getAccount(tx, accountId);
  const values = { name: user.name, plan: getPlan(plan).name, state: inWords[planState] };
  await queueEmail(tx, { template: 'plan-changed', to: user.email, values });
}

/** Emails a member whom somebody else removed. Members who left, or who are back, get no email. */
async function notifyOfRemoval(
  tx: Context,
  { podcastId, userId, actorUserId }: ChangeEvent,
): Promise<void> {
  if (podcastId === null || userId === null || userId === actorUserId) return;
  const podcast = await findPodcast(tx, podcastId);
  const user = await findUser(tx, userId);
  if (podcast === undefined || user === undefined) return;
  if ((await findMembership(tx, podcastId, userId)) !== undefined) return;
  const values = { podcast: podcast.title };
  await queueEmail(tx, { template: 'member-removed', to: user.email, values });
}
