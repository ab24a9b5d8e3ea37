import type { Clock } from './clock.ts';
import {
  applyDecision,
  type Decision,
  fieldsToSend,
  isClean,
  recordSending,
  type ServerState,
  startDraft,
} from './draft.ts';
import { DraftKeeper } from './draft-keeper.ts';
import type { Failure, SaveMode, SaveResult } from './draft-server.ts';
import type { ActionResult, SaveEngineOptions } from './engine-options.ts';
import type { Fields } from './fields.ts';
import { RefusedFields } from './refused-fields.ts';
import { type Block, describeState, type SaveState } from './save-state.ts';

type Attempt = { readonly patch: Fields; readonly revision: number };

/**
 * Saves an episode while a person types. Every edit goes to the browser's store first. One request
 * is in flight; text that is typed meanwhile is in the next one. A response never replaces typed
 * text.
 */
export class SaveEngine {
  readonly #options: SaveEngineOptions;
  readonly #keeper: DraftKeeper;
  readonly #schedule: SaveSchedule;
  readonly #refused: RefusedFields;
  readonly #listeners = new Set<() => void>();
  #mode: SaveMode;
  /** The person asked to send the changes of a public episode. */
  #requested = false;
  #block: Block | undefined;
  #saving = false;
  /** Requests run one after the other. */
  #queue: Promise<unknown> = Promise.resolve();
  /** A save is in the queue that has not started. */
  #queued: Promise<void> | undefined;
  #closed = false;
  #state: SaveState;

  constructor(options: SaveEngineOptions) {
    this.#options = options;
    const { key, store, clock, initial } = options;
    this.#mode = options.mode;
    this.#refused = new RefusedFields(options.check);
    this.#schedule = new SaveSchedule(clock, () => void this.flush());
    this.#keeper = new DraftKeeper({
      key,
      store,
      first: startDraft(initial, clock.now()),
      now: clock.now,
      onChange: () => this.#publish(),
      onWritten: () => options.tabs.announce(),
    });
    this.#state = this.#describe();
    options.tabs.onAnnounced(() => void this.#follow());
  }

  /**
   * Continues the stored draft; unsaved changes count as edits made now. Resolves when it is shown.
   */
  async start(): Promise<void> {
    const { initial } = this.#options;
    await this.#keeper.takeUp(initial);
    // Another tab has saved since, or the draft has parts that were not loaded.
    if (initial.revision !== this.#keeper.draft.revision) void this.#enqueue(() => this.#load());
    if (!isClean(this.#keeper.draft)) this.#scheduleSave();
  }

  get state(): SaveState {
    return this.#state;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** `read`: as `DraftKeeper.edit` wants it. */
  edit(changes: Fields, read?: ServerState): void {
    // A request to update did not include later typing.
    if (this.#mode === 'manual') {
      this.#requested = false;
      this.#schedule.noteSuccess();
      this.#schedule.clear();
    }
    this.#keeper.edit(changes, read);
    this.#scheduleSave();
  }

  /** Decides about a field that others changed, too. */
  async decide(decision: Decision): Promise<void> {
    await this.#keeper.change((draft) => applyDecision(draft, decision, this.#options.clock.now()));
    this.#scheduleSave();
  }

  /**
   * Saves everything now, without waiting for a pause. Resolves when the server has responded. While
   * a failed server has its pause, no request is sent.
   */
  flush(): Promise<void> {
    if (this.#schedule.isBackingOff && this.#schedule.isWaiting) return Promise.resolve();
    return this.#saveNow();
  }

  #saveNow(): Promise<void> {
    this.#queued ??= this.#enqueue(() => {
      this.#queued = undefined;
      return this.#save();
    });
    return this.#queued;
  }

  /** Sends the changes of a public episode. */
  update(): Promise<void> {
    this.#requested = true;
    return this.#saveNow();
  }

  setMode(mode: SaveMode): void {
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.#publish();
    if (!isClean(this.#keeper.draft)) this.#scheduleSave();
  }

  /** The person wants failed and refused values to be sent again. */
  tryAgain(): Promise<void> {
    if (this.#state.status === 'refused') this.#requested = true;
    this.#refused.forgetAll();
    return this.resume();
  }

  /** The person has signed in again, or the connection is back. */
  resume(): Promise<void> {
    if (this.#block === 'signed-out') this.#block = undefined;
    this.#publish();
    return this.#saveNow();
  }

  /** Called when a revision becomes known that may be newer than the draft's. */
  async noticeRevision(revision: number): Promise<void> {
    await this.#enqueue(async () => {
      if (this.#closed || this.#block !== undefined) return;
      if (revision > this.#keeper.draft.revision) await this.#load();
    });
  }

  /**
   * Runs another write of the episode (its status) between the saves, with the current revision. If
   * somebody was faster, it is tried once more with theirs. Rejects with what `action` throws.
   */
  act<T>(action: (revision: number) => Promise<ActionResult<T>>): Promise<ActionResult<T>> {
    const attempt = async () => {
      const sentAt = this.#keeper.draft.revision;
      const result = await action(sentAt);
      if (result.kind === 'done') await this.#keeper.acknowledge({}, result, sentAt);
      return result;
    };
    return this.#enqueue(async () => {
      const first = await attempt();
      if (first.kind !== 'conflict' || (await this.#refresh()) !== undefined) return first;
      return attempt();
    });
  }

  /** Ends at once; a request in flight still has its effect on the draft, which stays stored. */
  close(): void {
    this.#closed = true;
    this.#schedule.clear();
    this.#options.tabs.close();
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(() => this.#options.tabs.exclusively(work));
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /** Sends until nothing is left to send, or until saving is not possible. */
  async #save(): Promise<void> {
    this.#schedule.clear();
    let [goOn, conflicts] = [true, 0];
    // While the schedule waits for a pause, it starts the next save.
    while (goOn && !this.#schedule.isWaiting) {
      const attempt = await this.#begin();
      if (attempt === undefined) {
        this.#schedule.noteSuccess();
        break;
      }
      const result = await this.#send(attempt);
      if (result.kind === 'conflict') conflicts += 1;
      goOn = await this.#take(result, attempt);
      // Prevents an endless loop if others save all the time.
      if (conflicts === mostConflicts) this.#schedule.noteFailure();
    }
    if (!this.#schedule.isBackingOff && this.#block === undefined) this.#requested = false;
    this.#publish();
  }

  async #begin(): Promise<Attempt | undefined> {
    if (this.#closed || this.#block !== undefined) return undefined;
    if (this.#mode === 'manual' && !this.#requested) return undefined;
    let attempt: Attempt | undefined;
    await this.#keeper.change((draft) => {
      const allowed = this.#refused.leaveOut(fieldsToSend(draft), this.#mode);
      const patch = this.#options.server.portionOf?.(allowed) ?? allowed;
      attempt = { patch, revision: draft.revision };
      return Object.keys(patch).length === 0 ? draft : recordSending(draft, patch);
    });
    return attempt === undefined || Object.keys(attempt.patch).length === 0 ? undefined : attempt;
  }

  async #send({ patch, revision }: Attempt): Promise<SaveResult> {
    this.#saving = true;
    this.#publish();
    const result = await this.#options.server.save(patch, revision);
    this.#saving = false;
    return result;
  }

  /** Returns whether to continue. */
  async #take(result: SaveResult, { patch, revision }: Attempt): Promise<boolean> {
    if (result.kind === 'saved') {
      this.#schedule.noteSuccess();
      this.#refused.forget(patch);
      await this.#keeper.acknowledge(patch, result, revision);
      return true;
    }
    if (result.kind === 'conflict') return (await this.#refresh()) === undefined;
    if (result.kind === 'refused') {
      this.#schedule.noteSuccess();
      this.#refused.note(patch, result.problems, result.message);
      return this.#mode === 'auto';
    }
    this.#noteFailure(result);
    return false;
  }

  async #refresh(): Promise<Failure | undefined> {
    const result = await this.#options.server.load(Object.keys(this.#keeper.draft.mine));
    if (result.kind === 'loaded') {
      this.#schedule.noteSuccess();
      await this.#keeper.adopt(result);
      return undefined;
    }
    this.#noteFailure(result);
    return result;
  }

  async #load(): Promise<void> {
    await this.#refresh();
    if (!isClean(this.#keeper.draft)) this.#scheduleSave();
  }

  #noteFailure(failure: Failure): void {
    if (failure.kind === 'offline') this.#schedule.noteFailure();
    else if (failure.kind === 'busy') this.#schedule.noteFailure(failure.retryAfterSeconds);
    else this.#block = failure.kind;
    this.#publish();
  }

  /** Another tab has changed the draft. */
  async #follow(): Promise<void> {
    if (this.#closed) return;
    await this.#keeper.change((draft) => draft);
    const { draft } = this.#keeper;
    if (isClean(draft)) this.#schedule.clear();
    else if (this.#mode === 'auto') this.#schedule.noteForeignEdit();
  }

  #scheduleSave(): void {
    if (this.#mode === 'auto' && this.#block === undefined) this.#schedule.noteEdit();
    this.#publish();
  }

  #publish(): void {
    this.#state = this.#describe();
    for (const listener of this.#listeners) listener();
  }

  #describe(): SaveState {
    const { draft, problem, isStoring } = this.#keeper;
    return describeState(draft, {
      mode: this.#mode,
      saving: this.#saving,
      backingOff: this.#schedule.isBackingOff,
      block: this.#block,
      refused: this.#refused,
      storing: isStoring,
      storageProblem: problem,
    });
  }
}

const mostConflicts = 10;

/**
 * Says when the next save is due: soon after the last keystroke, or after the pause of a failure.
 */
class SaveSchedule {
  readonly #clock: Clock;
  readonly #save: () => void;
  #cancel: (() => void) | undefined;
  #firstEditAt: number | undefined;
  #failures = 0;

  constructor(clock: Clock, save: () => void) {
    this.#clock = clock;
    this.#save = save;
  }

  get isWaiting(): boolean {
    return this.#cancel !== undefined;
  }

  get isBackingOff(): boolean {
    return this.#failures > 0;
  }

  /**
   * Waits for a pause in the typing, but not forever. While the server fails, keeps the pause of
   * the failure.
   */
  noteEdit(): void {
    if (this.isBackingOff && this.isWaiting) return;
    const now = this.#clock.now();
    this.#firstEditAt ??= now;
    this.#wait(Math.min(pauseMs, Math.max(0, this.#firstEditAt + mostTypingMs - now)));
  }

  /** Another tab saves its edits; this one saves them only if that tab ends. */
  noteForeignEdit(): void {
    if (!this.isWaiting) this.#wait(foreignPauseMs);
  }

  noteFailure(retryAfterSeconds = 0): void {
    const backoff = Math.min(mostBackoffMs, firstBackoffMs * 2 ** this.#failures);
    this.#failures += 1;
    const spread = backoff * (0.5 + this.#clock.random() / 2);
    this.#wait(Math.max(spread, retryAfterSeconds * 1000));
  }

  noteSuccess(): void {
    this.#failures = 0;
  }

  /** Cancels the next save. */
  clear(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#firstEditAt = undefined;
  }

  #wait(milliseconds: number): void {
    this.#cancel?.();
    this.#cancel = this.#clock.after(milliseconds, () => {
      this.clear();
      this.#save();
    });
  }
}

const pauseMs = 800;
const mostTypingMs = 8_000;
const foreignPauseMs = 6_000;
const firstBackoffMs = 1_000;
const mostBackoffMs = 60_000;
