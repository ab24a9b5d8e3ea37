import type { PlayerDetail, PodsteadPlayerElement } from '../../index.d.ts';
import type { Episode } from '../api/wire.ts';
import { endSeconds, recallPosition } from '../playback/stored-playback.ts';
import { findNewer, offerContinuation } from './continuation.ts';
import { Dock, type DockActions } from './dock.ts';
import { noteBegun, noteFinished } from './heard.ts';
import { focusHeading, Navigation } from './navigation.ts';
import { PageControls } from './page-controls.ts';
import { linkedSeconds, type PageInfo, type Say, sayIn } from './page-info.ts';
import { type Entry, Queue, readStored, store, tryReadEntry } from './queue.ts';
import { type Sleep, SleepTimer } from './sleep-timer.ts';
import { Spoken } from './spoken.ts';
import { showAllTimeLeft, showTimeLeftOf } from './time-left.ts';

const key = 'podstead-visit';
/** Written by whichever tab has begun to play last. */
const soundKey = 'podstead-sound';
/** The next page plays on if it is there this soon. */
const mostGapMs = 10_000;

/** Beside the episode, what a page that is left while it plays leaves to the next one. */
interface Left {
  readonly leftAtMs?: number;
  readonly sleep?: Sleep;
  readonly sleepMs?: number;
}

/** The one player of a visit to listen pages: it stays while the listener moves between them. */
export class Visit implements DockActions {
  readonly #queue = new Queue();
  readonly #timer = new SleepTimer(() => this.#sleepNow());
  readonly #spoken = new Spoken(() => this.#showSpoken());
  /** In the language of the page where the visit began. */
  #say: Say;
  #page: PageInfo;
  #controls: PageControls;
  #dock: Dock | undefined;
  #player: PodsteadPlayerElement | undefined;
  #entry: Entry | undefined;
  /** The episode that plays, once its end is heard. */
  #finished: string | undefined;
  #resize: ResizeObserver | undefined;
  #navigation: Navigation | undefined;
  #isResumed = false;
  /** The listener, or another tab, wants silence: nothing that waits for the connection begins. */
  #isStopped = false;

  constructor(page: PageInfo) {
    this.#page = page;
    this.#say = sayIn(page);
    this.#controls = new PageControls(page);
    showAllTimeLeft();
    this.#offerContinuation();
    // Another tab has changed the queue, or plays (PAGE-37). Or the page that was left has only now
    // written it, after the browser has brought back this one.
    addEventListener('storage', (event) => {
      if (event.key === soundKey) this.#stop();
      else if (event.key === key && this.#player?.paused !== false) this.resume();
      this.#update();
    });
    addEventListener('pagehide', () => this.#leave());
    addEventListener('online', () => this.#dock?.announce(''));
    addEventListener('hashchange', () => this.#update());
    // A search has replaced the list of the page.
    document.addEventListener('podstead-list', () => {
      showAllTimeLeft();
      this.#update();
    });
  }

  /** Whether there is a player at the bottom. */
  get isOpen(): boolean {
    return this.#dock !== undefined;
  }

  /**
   * Shows what was heard before, or is in the queue. It waits for a press, unless another page of
   * this tab has just been left while it played (PAGE-36).
   */
  resume(): void {
    const kept = readStored('sessionStorage', key) as Left | undefined;
    if (kept && 'isClosed' in kept) {
      if (this.isOpen) this.close();
      return;
    }
    const entry = tryReadEntry(kept) ?? this.#queue.entries[0];
    if (!entry) return;
    // A page that the browser kept is where it was when it was left.
    if (entry.id === this.#entry?.id) this.seek(recallPosition(entry.id));
    this.#show(entry);
    store('sessionStorage', key, entry);
    if (!this.#goesOn(kept)) return;
    this.#play(entry);
    this.setSleep(kept?.sleep, kept?.sleepMs);
  }

  /** A player of the page plays: it moves to the bottom. */
  takeOver(player: PodsteadPlayerElement): void {
    if (this.isOpen) return;
    // Browsers pause an <audio> only if it has not been put back when the task ends.
    Object.assign(player, { isMoving: true });
    const held = player.shadowRoot?.activeElement as HTMLElement | null | undefined;
    this.#controls.replacePlayer(player, player.offsetHeight);
    this.#begin(player);
    held?.focus({ preventScroll: true });
    Object.assign(player, { isMoving: false });
    this.#controls.replacePlayers();
    this.#onEpisode();
    this.#update();
  }

  /** Plays or pauses an episode of the page. It plays from the position in the page's URL, once. */
  toggle(id: string): void {
    const seconds = linkedSeconds(this.#page, id);
    const isLinked = seconds !== undefined;
    if (isLinked) history.replaceState(history.state, '', location.pathname + location.search);
    if (!isLinked && id === this.#entry?.id && this.#player?.paused === false) this.#player.pause();
    else this.#play(this.#controls.find(id), seconds);
  }

  /** Plays the page's episode from a position. */
  playFrom(seconds: number): void {
    this.#play(this.#controls.find(this.#page.episode ?? ''), seconds);
  }

  toggleQueued(id: string): void {
    const entry = this.#controls.find(id);
    if (!entry) return;
    const { title } = entry;
    const isQueued = this.#queue.has(id);
    if (isQueued) this.#queue.remove(id);
    else this.#queue.add(entry);
    if (!isQueued && !this.isOpen) this.#show(entry);
    this.#update();
    this.#dock?.announce(this.#say(isQueued ? 'queueRemoved' : 'queueAdded', { title }));
  }

  playQueued(id: string): void {
    const entry = this.#queue.entries.find((each) => each.id === id);
    this.#play(entry);
  }

  onQueueChange(): void {
    this.#update();
  }

  setSleep(sleep: Sleep, leftMs?: number): void {
    this.#timer.set(sleep, leftMs);
    this.#dock?.showSleep(sleep);
  }

  seek(seconds: number): void {
    this.#player?.seek(seconds);
  }

  /** Ends the visit: links are the browser's again. */
  close(): void {
    store('sessionStorage', key, { isClosed: true });
    this.setSleep(undefined);
    this.#resize?.disconnect();
    this.#dock?.host.remove();
    this.#dock = undefined;
    this.#player = undefined;
    this.#entry = undefined;
    this.#leaveRoom(0);
    this.#update();
    focusHeading();
  }

  #leave(): void {
    if (this.#player?.paused !== false) return;
    this.#player.pause();
    const { chosen, leftMs } = this.#timer;
    store('sessionStorage', key, {
      ...this.#entry,
      leftAtMs: Date.now(),
      sleep: chosen,
      sleepMs: leftMs,
    });
  }

  /** Listeners who reload a page want silence. A tab without history is another one's copy. */
  #goesOn(kept: Left | undefined): boolean {
    const isReload = !this.#isResumed && navigationType() === 'reload';
    this.#isResumed = true;
    return Date.now() - Number(kept?.leftAtMs) < mostGapMs && !isReload && history.length > 1;
  }

  #begin(player: PodsteadPlayerElement): void {
    this.#say = sayIn(this.#page);
    const dock = new Dock(this.#say, this.#page.language, this.#queue, this);
    this.#dock = dock;
    this.#player = player;
    document.body.append(dock.host);
    document.body.classList.add('visiting');
    dock.adopt(player);
    this.#listen(player);
    this.#resize = new ResizeObserver(() => this.#leaveRoom(dock.host.offsetHeight));
    this.#resize.observe(dock.host);
    this.#navigation ??= this.#createNavigation();
  }

  #createNavigation(): Navigation {
    const visit = this;
    return new Navigation(this.#page, {
      get host() {
        return visit.#dock?.host;
      },
      isNeeded: () => this.isOpen,
      isOwnLink: (link) => this.#player?.shadowRoot?.contains(link) === true,
      onLoading: (isLoading) => this.#dock?.showLoading(isLoading),
      onOffline: () => this.#dock?.warn(this.#say('offlinePage')),
      onPage: (page) => this.#onPage(page),
    });
  }

  #onPage(page: PageInfo): void {
    this.#page = page;
    this.#controls = new PageControls(page);
    if (this.isOpen) {
      // It is at the bottom of this page, whatever it came from.
      this.#player?.setAttribute('theme', page.theme ?? 'auto');
      document.body.classList.add('visiting');
      this.#controls.replacePlayers();
    }
    document.dispatchEvent(new Event('podstead-page'));
    showAllTimeLeft();
    this.#offerContinuation();
    this.#update();
    this.#showSpoken();
    this.#dock?.announce(document.title);
  }

  /** Without it, the page offers what it offers everybody. */
  #offerContinuation(): void {
    const update = (isAnother: boolean) => isAnother && this.#update();
    offerContinuation(this.#page).then(update, () => {});
  }

  #listen(player: PodsteadPlayerElement): void {
    player.addEventListener('episodechange', () => this.#onEpisode());
    player.addEventListener('play', () => this.#onPlay());
    player.addEventListener('pause', () => this.#update());
    player.addEventListener('timeupdate', ({ detail }) => this.#onTime(detail));
    // The player itself does something when an episode has ended, too: it stops.
    player.addEventListener('ended', () => setTimeout(() => this.#onEnded()));
  }

  #play(entry: Entry | undefined, seconds?: number): void {
    if (!entry) return;
    this.#show(entry);
    this.#player?.play().catch(() => this.#onRefused());
    // After the call of play, which begins to load: before, it would be the position of another episode.
    if (seconds !== undefined) this.#player?.seek(seconds);
    this.#update();
  }

  /** The browser allows no sound, or there is no connection: then it plays once there is one. */
  async #onRefused(): Promise<void> {
    this.#update();
    if (navigator.onLine || !(await this.#waitForConnection())) return;
    this.#player?.play().catch(() => this.#update());
  }

  /** False: in the meantime, the listener has chosen something else. */
  async #waitForConnection(): Promise<boolean> {
    const entry = this.#entry;
    this.#isStopped = false;
    // The player itself loads first what it could not load before.
    if (!navigator.onLine)
      await new Promise((resolve) => {
        addEventListener('online', () => setTimeout(resolve), { once: true });
      });
    return !this.#isStopped && this.#entry === entry && this.#player?.paused !== false;
  }

  /** Its audio waits for `play`. */
  #show(entry: Entry | undefined): void {
    if (!entry || entry.id === this.#entry?.id) return;
    if (!this.#player) {
      this.#begin(document.createElement('podstead-player'));
      this.#controls.replacePlayers();
    }
    this.#entry = entry;
    store('sessionStorage', key, entry);
    this.#player?.removeAttribute('start');
    const { id, podcast, color } = entry;
    const attributes = { theme: this.#page.theme ?? 'auto', color, podcast, episode: id };
    for (const [name, value] of Object.entries(attributes)) this.#player?.setAttribute(name, value);
    this.#update();
  }

  #onEpisode(): void {
    const episode = this.#player?.current as Episode | null | undefined;
    if (!episode) return;
    const { id, title, podcast } = episode;
    const known = this.#entry?.id === id ? this.#entry : this.#controls.find(id);
    const { podcast: podcastId, show, color } = known ?? this.#page;
    const ofShow = { podcast: podcast?.id ?? podcastId, show: podcast?.title ?? show };
    this.#entry = { id, title, color, ...ofShow };
    store('sessionStorage', key, this.#entry);
    if (this.#player?.paused === false) this.#onPlay();
  }

  #onPlay(): void {
    store('localStorage', soundKey, { begun: Math.random() });
    const episode = this.#player?.current as Episode | null | undefined;
    if (episode) {
      this.#queue.remove(episode.id);
      this.#spoken.load(episode);
      if (this.#entry?.id === episode.id) noteBegun(this.#entry.podcast, episode.id);
    }
    this.#update();
  }

  #onTime({ currentTime, duration }: PlayerDetail): void {
    this.#showSpoken();
    const { id: episode = '', podcast = '' } = this.#entry ?? {};
    const isOver = duration > 0 && currentTime > duration - endSeconds;
    if (isOver && this.#finished !== episode) noteFinished(podcast, episode);
    this.#finished = isOver ? episode : undefined;
    showTimeLeftOf(episode, currentTime, duration);
    const detail = { episode, seconds: currentTime };
    document.dispatchEvent(new CustomEvent('podstead-time', { detail }));
  }

  async #onEnded(): Promise<void> {
    if (this.#timer.endsNow()) {
      this.#dock?.showSleep(undefined);
      return;
    }
    if (!this.#queue.continues) return;
    const ended = this.#entry;
    if (!navigator.onLine && this.#queue.entries.length > 0)
      this.#dock?.warn(this.#say('offlineNext'));
    if (!((await this.#waitForConnection()) && this.#queue.continues)) return;
    const next = this.#queue.shift() ?? (await findNewer(this.#page, ended).catch(() => undefined));
    // In the meantime, the listener may have chosen another one.
    if (this.#entry === ended && this.#player?.paused !== false) this.#play(next);
  }

  #sleepNow(): void {
    this.#stop();
    this.#dock?.showSleep(undefined);
  }

  #stop(): void {
    this.#isStopped = true;
    this.#player?.pause();
  }

  #showSpoken(): void {
    const seconds = this.#player?.currentTime ?? 0;
    const { chapters, language } = this.#spoken;
    if (this.#chaptersShown !== chapters) this.#dock?.showChapters(chapters);
    this.#chaptersShown = chapters;
    const at = this.#spoken.chapterAt(seconds);
    this.#dock?.showNow(chapters, at, this.#spoken.lineAt(seconds), language);
  }
  #chaptersShown: unknown;

  #update(): void {
    const isPlaying = this.#player?.paused === false;
    this.#controls.update(this.#entry?.id, isPlaying, this.#queue);
    this.#dock?.update(this.#entry);
    if (isPlaying) this.#offerNext();
  }

  /** The keys of headsets and keyboards; the player sets all others. */
  #offerNext(): void {
    const next = () => this.#play(this.#queue.shift());
    try {
      const hasNext = this.#queue.entries.length > 0;
      navigator.mediaSession?.setActionHandler('nexttrack', hasNext ? next : null);
    } catch {
      // Browsers support different sets of actions.
    }
  }

  /** The end of the page stays readable above the player. */
  #leaveRoom(heightPx: number): void {
    const room = heightPx ? `${heightPx}px` : '';
    document.documentElement.style.paddingBottom = room;
    document.documentElement.style.scrollPaddingBottom = room;
  }
}

function navigationType(): string | undefined {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return entry?.type;
}
