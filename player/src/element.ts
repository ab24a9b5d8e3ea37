import type {
  PlayerDetail,
  PlayerEpisode,
  PlayerEventName,
  PodsteadPlayerElement,
} from '../index.d.ts';
import { type Attribute, attributes, type Options, readOptions } from './options.ts';
import { leaveLockScreen } from './playback/media-session.ts';
import { Player } from './player.ts';
import { emptyState } from './state.ts';
import { chooseTexts, loadTexts } from './text/language.ts';
import { View } from './view/view.ts';

/** A player loads its data when it is this close to the viewport. */
const nearPx = 400;

const looks = new Set<Attribute>(['theme', 'color', 'layout']);

/** Server-side rendering has no HTMLElement, and must still be able to import the module. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/** `<podstead-player>`: attributes and methods outside, a Player and its View inside. */
export class PodsteadPlayer extends Base implements PodsteadPlayerElement {
  static readonly observedAttributes = attributes;
  /** Origin of the API for players without `src`. */
  static service = '';

  /** Set by listen pages while they move it: it plays on. */
  isMoving = false;

  readonly #player = new Player((event) => this.#emit(event));
  #view: View | undefined;
  #near: IntersectionObserver | undefined;
  #left: AbortController | undefined;
  #isAsked = false;
  /** The attributes have changed since the last request. */
  #isStale = false;

  connectedCallback(): void {
    if (!this.#view) this.#draw();
    this.#left = new AbortController();
    const { signal } = this.#left;
    window.addEventListener('online', () => this.#onOnline(), { signal });
    window.addEventListener('pagehide', () => this.#player.playback.save(), { signal });
    this.#near = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) this.#load();
      },
      { rootMargin: `${nearPx}px` },
    );
    this.#near.observe(this);
  }

  disconnectedCallback(): void {
    this.#near?.disconnect();
    this.#left?.abort();
    if (this.isMoving) return;
    this.#player.pause();
    leaveLockScreen(this.#player);
    this.#player.playback.save();
  }

  attributeChangedCallback(name: Attribute, before: string | null, after: string | null): void {
    if (!this.#view || before === after) return;
    const options = this.#options();
    this.#view.dress(options, this.#player.store.state);
    if (!this.#isAsked && !this.#isStale) return;
    // Showing more or fewer rows does not change the list.
    const isLook = name === 'playlist' ? before !== null && after !== null : looks.has(name);
    if (name === 'start') this.seek(options.startSeconds ?? this.currentTime);
    else if (!isLook) this.#loadSoon();
  }

  /** Focuses the play button. */
  override focus(options?: FocusOptions): void {
    this.#view?.focus(options);
  }

  async play(): Promise<void> {
    this.#load();
    await this.#player.play();
  }

  pause(): void {
    this.#player.pause();
  }

  seek(seconds: number): void {
    this.#player.seek(seconds);
  }

  next(): Promise<boolean> {
    return this.#player.step(1);
  }

  previous(): Promise<boolean> {
    return this.#player.step(-1);
  }

  get current(): PlayerEpisode | null {
    return this.#player.store.state.episode;
  }

  get currentTime(): number {
    return this.#player.store.state.seconds;
  }

  set currentTime(seconds: number) {
    this.seek(seconds);
  }

  get duration(): number {
    return this.#player.store.state.durationSeconds;
  }

  get paused(): boolean {
    return !this.#player.store.state.playing;
  }

  get playbackRate(): number {
    return this.#player.store.state.rate;
  }

  set playbackRate(rate: number) {
    this.#player.setRate(rate);
  }

  get volume(): number {
    return this.#player.store.state.volume;
  }

  set volume(volume: number) {
    this.#player.setVolume(volume);
  }

  /** If anything fails before the end, the fallback content stays visible and usable. */
  #draw(): void {
    const { store, playback } = this.#player;
    const texts = chooseTexts(this);
    const ui = { texts, controls: this.#player };
    this.#show(new View(this, playback.audio, ui, () => store.state));
    store.listen((state, before) => {
      if (state.podcast !== before.podcast) this.#view?.dress(this.#options(), state);
      this.#view?.update(state, before);
    });
    loadTexts(texts, this.#options().service)
      .then((isNew) => isNew && this.#show(new View(this, playback.audio, ui, () => store.state)))
      .catch(() => {});
    this.#takeOver();
  }

  #show(view: View): void {
    const { state } = this.#player.store;
    this.#view = view;
    view.dress(this.#options(), state);
    view.update(state, emptyState);
  }

  /** If the listener already started the fallback `<audio>`, the player continues from there. */
  #takeOver(): void {
    const plain = this.querySelector('audio');
    if (!plain || plain.paused) return;
    plain.pause();
    this.seek(plain.currentTime);
    this.play().catch(() => {});
  }

  #load(): void {
    const isStale = this.#isStale;
    this.#isAsked = true;
    this.#isStale = false;
    this.#near?.disconnect();
    this.#player.load(this.#options(), isStale);
  }

  /** Pages often change several attributes at once. */
  #loadSoon(): void {
    this.#isStale = true;
    queueMicrotask(() => {
      if (this.#isStale) this.#load();
    });
  }

  #options(): Options {
    const service = PodsteadPlayer.service || location.origin;
    const options = readOptions((name) => this.getAttribute(name), service);
    // Of our own pages alone, which show what the API does not have yet.
    const given = this.querySelector('script[type="application/json"]')?.textContent;
    return given ? { ...options, given: JSON.parse(given) } : options;
  }

  #onOnline(): void {
    if (this.#player.store.state.failure === 'offline') this.#player.retry();
  }

  #emit(event: PlayerEventName): void {
    const { seconds, durationSeconds, episode, failure } = this.#player.store.state;
    const detail: PlayerDetail = {
      currentTime: seconds,
      duration: durationSeconds,
      episode,
      failure,
    };
    this.dispatchEvent(new CustomEvent(event, { detail }));
  }
}
